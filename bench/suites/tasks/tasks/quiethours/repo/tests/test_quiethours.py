from datetime import datetime

from pushgate import may_send


def test_by_day():
    assert may_send("marketing", datetime(2026, 3, 3, 12, 0)) is True
    assert may_send("digest", datetime(2026, 3, 3, 17, 30)) is True


def test_security_by_day():
    assert may_send("security", datetime(2026, 3, 3, 12, 0)) is True
