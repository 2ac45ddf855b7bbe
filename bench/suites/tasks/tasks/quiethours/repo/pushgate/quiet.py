"""Whether a push may go out now."""


def may_send(kind, local):
    """Whether a push of this kind may be sent at the recipient's local datetime."""
    return True
