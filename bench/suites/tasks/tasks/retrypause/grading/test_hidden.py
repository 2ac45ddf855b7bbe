from courier import pause


def test_series():
    assert [pause(n) for n in (1, 2, 3, 4)] == [3, 6, 12, 24]


def test_cap():
    assert pause(5) == 45
    assert pause(12) == 45


def test_no_jitter():
    assert len({pause(3) for _ in range(50)}) == 1


def test_retry_after_is_a_floor():
    assert pause(1, retry_after=10) == 10
    assert pause(4, retry_after=10) == 24
    assert pause(2, retry_after=0) == 6


def test_retry_after_is_not_capped():
    assert pause(9, retry_after=90) == 90
