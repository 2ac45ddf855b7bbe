"""How long to wait before the next attempt."""

BASE = 3
CAP = 45


def pause(attempt, retry_after=None):
    """Seconds to wait before attempt number `attempt`, which counts from 1."""
    own = min(BASE * 2 ** (attempt - 1), CAP)
    return own if retry_after is None else max(own, retry_after)
