"""Edge: lookups of names: which addresses of a domain may be contacted?

Invariant: whatever the name server does, an answer comes, and no more than MOST_LOOKUPS are under way.
"""

import asyncio
import socket
import threading
from contextlib import suppress

from txtr.fetch import guard
from txtr.model import Resolution, Trouble

MOST_LOOKUPS = 100  # at once: two batches of names, so that slow names hold no other up
LOOKUP_TIME = 20.0  # seconds; the system's resolver asks two servers twice, for five seconds each
MOST_DETAIL_CHARACTERS = 200  # of the addresses found, for the log


class Names:
    """Finds the addresses of domains: in the hosts file first, then as this machine does.

    Lookups run in threads that do not keep the program from ending. A thread pool would wait at the end of
    the harvester for a name server that does not answer.
    """

    def __init__(self, hosts: dict[str, list[str]], allow_private: bool) -> None:
        self._hosts = hosts
        self._allow_private = allow_private
        self._slots = asyncio.Semaphore(MOST_LOOKUPS)

    async def resolve(self, domain: str) -> Resolution:
        """The addresses of a domain that may be contacted, IPv4 first; or the trouble."""
        try:
            found = self._known(domain) or await self._ask(domain)
        except UnicodeError:
            return Resolution(domain, trouble=Trouble.NO_SUCH_DOMAIN, detail="not a domain name")
        except socket.gaierror as error:
            is_none = error.errno in (socket.EAI_NONAME, socket.EAI_NODATA)
            trouble = Trouble.NO_SUCH_DOMAIN if is_none else Trouble.DNS
            return Resolution(domain, trouble=trouble, detail=str(error.strerror))
        except Exception as error:  # the broad one: any error is about this domain only
            return Resolution(domain, trouble=Trouble.DNS, detail=str(error) or "no answer in time")
        return self._resolution(domain, found)

    def _known(self, domain: str) -> list[str]:
        literal = guard.plain_address(domain)
        return [literal] if literal else self._hosts.get(domain, [])

    def _resolution(self, domain: str, found: list[str]) -> Resolution:
        spelled = dict.fromkeys(filter(None, map(guard.plain_address, found)))
        addresses = [address for address in spelled if guard.may_contact(address, self._allow_private)]
        if not addresses:
            return Resolution(
                domain, trouble=Trouble.GUARDED, detail=" ".join(found)[:MOST_DETAIL_CHARACTERS]
            )
        return Resolution(domain, sorted(addresses, key=lambda address: ":" in address))

    async def _ask(self, domain: str) -> list[str]:
        name = domain.encode("ascii")
        await self._slots.acquire()  # given back when the thread ends, even if that is after LOOKUP_TIME
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[str]] = loop.create_future()
        threading.Thread(target=self._look_up, args=(name, loop, answer), daemon=True).start()
        async with asyncio.timeout(LOOKUP_TIME):
            return await answer

    def _look_up(
        self, name: bytes, loop: asyncio.AbstractEventLoop, answer: "asyncio.Future[list[str]]"
    ) -> None:
        """Ask the system for addresses, in a thread, and give them to the event loop."""
        found: list[str] = []
        trouble: Exception | None = None
        try:
            found = [str(place[4][0]) for place in socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)]
        except Exception as error:
            trouble = error
        with suppress(RuntimeError):  # the event loop has ended meanwhile
            loop.call_soon_threadsafe(self._settle, answer, found, trouble)

    def _settle(
        self, answer: "asyncio.Future[list[str]]", found: list[str], trouble: Exception | None
    ) -> None:
        self._slots.release()
        if answer.done():
            return
        if trouble is None:
            answer.set_result(found)
        else:
            answer.set_exception(trouble)
