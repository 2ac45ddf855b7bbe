from ledgerdocs import file_name


def invoice(number, customer="C0042", name="Acme GmbH"):
    return {"number": number, "date": "2026-03-02", "total": 99.5,
            "customer": {"id": customer, "name": name}}


def test_two_invoices_of_one_day_differ():
    assert file_name(invoice(123)) != file_name(invoice(124))
