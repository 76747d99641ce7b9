"""Erasing a participant on request."""

from gardenpath.human.server.connection import connect, transaction
from gardenpath.human.server.schema import migrate
from gardenpath.human.server.sessions import erase, hash_panel_id
from gardenpath.human.server.writer import make_salt


def erase_participant(address: str, participant: str) -> int:
    """Erase everything about a participant, by the panel's id or as results name them; how many sessions that were.

    A server may run at the same time.
    """
    connection = connect(address)
    try:
        with transaction(connection):
            migrate(connection)
            names = {participant, hash_panel_id(make_salt(connection), participant)}
            erased = sum(erase(connection, name) for name in names)
        connection.scrub()
        return erased
    finally:
        connection.close()
