"""Assignment 3: the two-phase assignment of deflection routing (3-two-phase.md)."""


def two_phase(channels, buffers, preferred, random):
    """Assigns the messages of one node to its channels 0 .. channels - 1.

    preferred[m] lists the channels that message m prefers, in ascending order; message 0 is the oldest. random has
    words of 32 bits: message m picks with random[m], the x-th message that phase 2 serves (x = 0, 1, ...) with
    random[len(preferred) + x]. A word r picks element r w // 2^32 of w channels in ascending order.

    Returns a list: the channel of message m, or None when it stays."""
    raise NotImplementedError
