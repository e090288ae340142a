"""Whatever numbers the options admit, a crawl with them goes on and ends."""

import pytest
from msgspec.structs import replace

from tests.world import RULES, World, site
from txtr.config.options import FIELDS
from txtr.manners.rules import Rules

MOST_HOSTS, MOST_REQS = (FIELDS[name].metadata["most"] for name in ("max-hosts", "max-reqs"))


@pytest.mark.parametrize(
    "rules",
    [
        replace(RULES, req_delay=5e-324, general_pause=5e-324),
        replace(RULES, req_delay=5e-324, max_hosts=1),
        replace(RULES, req_delay=0.0, general_pause=0.0, max_hosts=MOST_HOSTS, max_reqs=MOST_REQS),
        replace(RULES, max_hosts=1, max_reqs=1, req_delay=0.0),
        replace(RULES, max_hosts=MOST_HOSTS, max_reqs=MOST_REQS),
    ],
    ids=repr,
)
def test_a_crawl_with_the_least_and_the_most_numbers_gets_everything(rules: Rules) -> None:
    """The least delay above 0 ended the queuekeeper: it divided by it."""
    servers = {f"d{number}.cz": site(f"d{number}.cz", 4, "192.0.2.1") for number in range(8)}
    world = World(servers, rules=rules)
    world.start(*(f"http://{name}/" for name in servers))
    world.run()
    assert set(world.fetched()) == world.everything()
    assert not world.violations()
