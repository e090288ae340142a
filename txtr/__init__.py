"""TextTractor: a polite robot that gathers a corpus of one language from the web.

    seeds → frontier → wire → harvester → fetch → clean → segment → corpus → diary ─┐
                ↑                                                                   │
                └───────────────────────────────────────────────────────────────────┘

A *queuekeeper* owns the frontier: what is to be fetched, what was, and which server may be contacted when.
Any number of *harvesters* ask it for work, fetch pages, clean them, have them judged, and keep the texts.
What they found goes back into the frontier. docs/architecture.md follows one link all the way round.

Packages are floors. A module imports from its own package and from packages on lower floors, never up and
never sideways. FLOORS lists them from the ground upwards, and tests/test_layers.py reads the same list:

words      errors, model (what travels between the stations), clock, eventloop (how long its steps are),
           urls, charset, deflate, escapes (what strangers wrote, as harmless text), files (replaced in one
           step), alternatives (long lists of servers in one
           expression), media (types of bodies), data (our own tables), native (the C library)
wishes     config (options), manners (robots.txt, remedies), seeds (the start list), gate (what the user
           includes)
typing     console: what all programs and commands do alike; pages are cleaned by a command, too
decisions  clean (bytes become text and links), frontier, segment (how usable is a text?), wire (the protocol)
documents  files that are not HTML
edges      fetch (HTTP), store (the frontier on disk), corpus (the texts on disk), diary (logs and counts)
crawls     admin: looks at a crawl, running or not, and gives it orders
programs   queuekeeper, harvester, segmenter, launcher, queue, report, demo

A module that touches the world (sockets, files, the clock, threads) begins its docstring with "Edge:". Every
other module is values in, values out; it imports no edge, and the time comes in as an argument called `now`.
"""

FLOORS = (  # each floor may import from those above it in this list, and a package from itself
    "errors model clock eventloop urls charset deflate escapes files alternatives media data native",
    "config manners seeds gate",
    "console",
    "clean frontier segment wire",
    "documents",
    "fetch store corpus diary",
    "admin",
    "queuekeeper harvester segmenter launcher queue report demo",
)

ROOMS = {  # packages with fewer than three modules whose others are on their way
    "seeds": "sitemaps",
    "documents": "pdf and office files become text",
    "native": "one module, and the sources in C",
    "queue": "a thin program above admin/",
    "segmenter": "a thin program above segment/",
    "clean/text": "weights and labels of a language",
}
