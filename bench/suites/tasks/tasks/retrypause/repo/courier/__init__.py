"""courier package."""
from .pause import pause

__all__ = ["pause"]
