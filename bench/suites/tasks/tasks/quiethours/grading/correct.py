"""Whether a push may go out now."""


def may_send(kind, local):
    """Whether a push of this kind may be sent at the recipient's local datetime."""
    morning = 10 if local.weekday() >= 5 else 8
    return kind == "security" or morning <= local.hour < 21
