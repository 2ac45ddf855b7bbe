"""File names in the archive."""


def file_name(invoice):
    """The name of an invoice's PDF in the archive."""
    return "INV-" + invoice["date"].replace("-", "") + ".pdf"
