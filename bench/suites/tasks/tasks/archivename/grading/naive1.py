"""File names in the archive."""
import re


def file_name(invoice):
    """The name of an invoice's PDF in the archive."""
    kind = "CRN" if invoice["total"] < 0 else "INV"
    slug = re.sub(r"[^a-z0-9]+", "-", invoice["customer"]["name"].lower()).strip("-")
    return f"{kind}-{invoice['number']:06d}-{slug}.pdf"
