"""Edge: the lookups of names: which addresses has a domain that we may contact?

Invariant: whatever the name server does, an answer comes, and only so many names are asked for at once.
"""

import asyncio
import socket
import threading
from contextlib import suppress

from txtr.fetch import guard
from txtr.model import Resolution, Trouble

LOOKUPS = 100  # names asked for at once: two batches of them, so that slow ones keep nobody waiting
LOOKUP_TIME = 20.0  # seconds; the resolver's own default is two servers, twice five seconds
DETAIL = 200  # characters of the addresses found that are worth keeping


class Names:
    """Finds the addresses of domains: hosts file first, then what this machine uses.

    The lookups run in threads that do not keep the program from ending: a name server that does
    not answer must not hold up the harvester's farewell, as a thread pool would.
    """

    def __init__(self, hosts: dict[str, list[str]], allow_private: bool) -> None:
        self._hosts = hosts
        self._allow_private = allow_private
        self._slots = asyncio.Semaphore(LOOKUPS)

    async def resolve(self, domain: str) -> Resolution:
        """The addresses of a domain that we may contact, IPv4 first; or the trouble."""
        try:
            found = self._known(domain) or await self._ask(domain)
        except UnicodeError:
            return Resolution(domain, trouble=Trouble.NO_SUCH_DOMAIN, detail="not a domain name")
        except socket.gaierror as error:
            is_none = error.errno in (socket.EAI_NONAME, socket.EAI_NODATA)
            trouble = Trouble.NO_SUCH_DOMAIN if is_none else Trouble.DNS
            return Resolution(domain, trouble=trouble, detail=str(error.strerror))
        except Exception as error:  # the broad one: it is about this domain only
            return Resolution(domain, trouble=Trouble.DNS, detail=str(error) or "no answer in time")
        return self._resolution(domain, found)

    def _known(self, domain: str) -> list[str]:
        literal = guard.plain(domain)
        return [literal] if literal else self._hosts.get(domain, [])

    def _resolution(self, domain: str, found: list[str]) -> Resolution:
        spelled = dict.fromkeys(filter(None, map(guard.plain, found)))
        addresses = [address for address in spelled if guard.may_contact(address, self._allow_private)]
        if not addresses:
            return Resolution(domain, trouble=Trouble.GUARDED, detail=" ".join(found)[:DETAIL])
        return Resolution(domain, sorted(addresses, key=lambda address: ":" in address))

    async def _ask(self, domain: str) -> list[str]:
        name = domain.encode("ascii")
        await self._slots.acquire()  # given back by the thread, even when nobody waits for it any more
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[str]] = loop.create_future()
        threading.Thread(target=self._look_up, args=(name, loop, answer), daemon=True).start()
        async with asyncio.timeout(LOOKUP_TIME):
            return await answer

    def _look_up(
        self, name: bytes, loop: asyncio.AbstractEventLoop, answer: "asyncio.Future[list[str]]"
    ) -> None:
        """In a thread: ask, and tell the loop."""
        found: list[str] = []
        trouble: Exception | None = None
        try:
            found = [str(place[4][0]) for place in socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)]
        except Exception as error:
            trouble = error
        with suppress(RuntimeError):  # the loop has ended meanwhile
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
