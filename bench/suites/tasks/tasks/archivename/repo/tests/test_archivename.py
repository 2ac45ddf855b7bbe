from ledgerdocs import file_name

INVOICE = {"number": 123, "date": "2026-03-02", "total": 99.5,
           "customer": {"id": "C0042", "name": "Acme GmbH"}}


def test_is_a_pdf():
    assert file_name(INVOICE).endswith(".pdf")


def test_begins_with_the_kind():
    assert file_name(INVOICE).startswith("INV-")


def test_has_no_folder():
    assert "/" not in file_name(INVOICE)
