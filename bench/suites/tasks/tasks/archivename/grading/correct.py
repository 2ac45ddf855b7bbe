"""File names in the archive."""


def file_name(invoice):
    """The name of an invoice's PDF in the archive."""
    kind = "CRN" if invoice["total"] < 0 else "INV"
    return f"{kind}-{invoice['number']:08d}-{invoice['customer']['id']}.pdf"
