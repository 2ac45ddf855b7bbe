from datetime import datetime

from pushgate import may_send


def test_nobody_is_woken_up():
    assert may_send("marketing", datetime(2026, 3, 3, 3, 30)) is False
    assert may_send("digest", datetime(2026, 3, 3, 23, 30)) is False
