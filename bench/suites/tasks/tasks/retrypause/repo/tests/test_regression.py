from courier import pause


def test_waits_grow():
    assert pause(1) < pause(2) < pause(3)


def test_waits_do_not_grow_for_ever():
    assert pause(30) == pause(31)
