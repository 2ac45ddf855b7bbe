"""How long to wait before the next attempt."""


def pause(attempt, retry_after=None):
    """Seconds to wait before attempt number `attempt`, which counts from 1."""
    return 1
