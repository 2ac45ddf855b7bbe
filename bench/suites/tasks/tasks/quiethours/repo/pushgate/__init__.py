"""pushgate package."""
from .quiet import may_send

__all__ = ["may_send"]
