"""How long to wait before the next attempt."""

BASE = 2
CAP = 120


def pause(attempt, retry_after=None):
    """Seconds to wait before attempt number `attempt`, which counts from 1."""
    if retry_after is not None:
        return retry_after
    return min(BASE * 2 ** (attempt - 1), CAP)
