"""Edge: the contact of a crawl whose user has given none: who started it, and on which machine."""

import getpass
import os
import socket


def user_at_host() -> str:
    """Like a mail address; a user without a name has a number."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = str(os.getuid())
    return f"{user}@{socket.getfqdn()}"
