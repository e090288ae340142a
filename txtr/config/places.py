"""The names of the files in the state directory (--state). What each is for, users read in docs/state.md.

Invariant: no other module spells one of them, so that who writes a file and who reads it mean the same one.
"""

# Of whoever changes the state: the queuekeeper, or an order to a crawl that is stopped.
LOCK = "lock"  # held as long as they do
SECRET = "secret"  # what callers of the queuekeeper prove that they know
DATABASE_FILE = "frontier.sqlite"
WRITE_AHEAD_LOG = f"{DATABASE_FILE}-wal"  # SQLite's; its name is SQLite's rule
FRESH_DATABASE = f"{DATABASE_FILE}.new"  # until it is whole
JOURNAL_FILES = ("frontier.journal-0", "frontier.journal-1")  # generations take turns
FIRST_VERSION = "frontier.msgpack"  # what the first version kept instead
FIRST_VERSION_READ = f"{FIRST_VERSION}.old"  # it has been taken over

# Of the queuekeeper.
RUNNING = "running"  # there from the start of a crawl to its clean end
STATUS = "status.json"  # how far it is
YIELD = "yield.json"  # what it has yielded
BRING_BACK = "bring-back.txt"  # the user's: a regular expression a line; gone when that is done

# Of the start script.
START_LOCK = "running.lock"  # held by the queuekeeper that it has started, as long as that lives
LAUNCH = "launch.json"  # how the crawl was started, and how many harvesters it should have
LONG_OPTIONS = "options.txt"  # those that are too long for the command line of a process
STATUS_ASIDE = "status.json.old"  # what the run before said of itself

# What is written once there is a database, and tells of a crawl whose database is gone.
CRAWL_FILES = (RUNNING, YIELD, LAUNCH, STATUS, STATUS_ASIDE)

# Every file that a state may hold.
STATE_FILES = (
    *(LOCK, SECRET, DATABASE_FILE, WRITE_AHEAD_LOG, FRESH_DATABASE, *JOURNAL_FILES),
    *(FIRST_VERSION, FIRST_VERSION_READ, RUNNING, STATUS, YIELD, BRING_BACK),
    *(START_LOCK, LAUNCH, LONG_OPTIONS, STATUS_ASIDE),
)
