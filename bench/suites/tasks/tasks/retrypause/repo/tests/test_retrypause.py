from courier import pause


def test_is_a_number_of_seconds():
    assert pause(1) > 0


def test_first_pause_is_short():
    assert pause(1) < 10


def test_repeatable():
    assert pause(1) == pause(1)
