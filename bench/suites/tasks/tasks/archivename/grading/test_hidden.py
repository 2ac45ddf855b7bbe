from ledgerdocs import file_name


def invoice(number=123, total=99.5, customer="C0042", name="Acme GmbH"):
    return {"number": number, "date": "2026-03-02", "total": total,
            "customer": {"id": customer, "name": name}}


def test_invoice():
    assert file_name(invoice()) == "INV-00000123-C0042.pdf"


def test_long_number():
    assert file_name(invoice(number=1234567)) == "INV-01234567-C0042.pdf"


def test_credit_note():
    assert file_name(invoice(total=-12.0)) == "CRN-00000123-C0042.pdf"
    assert file_name(invoice(total=0)) == "INV-00000123-C0042.pdf"


def test_no_name_of_a_person():
    assert "acme" not in file_name(invoice()).lower()


def test_id_as_it_is_stored():
    assert file_name(invoice(customer="c-7")) == "INV-00000123-c-7.pdf"
