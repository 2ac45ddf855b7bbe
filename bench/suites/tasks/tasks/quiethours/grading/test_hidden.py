from datetime import datetime

from pushgate import may_send


def at(hour, minute=0, day=3):
    return datetime(2026, 3, day, hour, minute)  # the 3rd is a Tuesday


def test_evening():
    assert may_send("marketing", at(20, 59)) is True
    assert may_send("marketing", at(21)) is False


def test_morning():
    assert may_send("reminder", at(7, 59)) is False
    assert may_send("reminder", at(8)) is True


def test_only_security_passes():
    assert may_send("security", at(3)) is True
    assert may_send("outage", at(3)) is False


def test_weekend():
    for day in (7, 8):
        assert may_send("digest", at(9, 30, day)) is False
        assert may_send("digest", at(10, 0, day)) is True
    assert may_send("digest", at(9, 30, 9)) is True
    assert may_send("digest", at(21, 0, 8)) is False
