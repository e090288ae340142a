"""Files that are written anew: only a regular file is ever replaced."""

import contextlib
import errno
import os
import re
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from txtr import files
from txtr.config.layers import parse
from txtr.config.options import Options
from txtr.corpus.shards import Aside, Corpus, Lines
from txtr.diary.events import place
from txtr.diary.file import MIB, Diary
from txtr.errors import UserMistake
from txtr.eventloop import Watch
from txtr.launcher.file_checks import check_files
from txtr.launcher.files import write_pids
from txtr.model import Event
from txtr.queuekeeper.program import Queuekeeper

TXTR = Path(__file__).parent.parent / "txtr"


@pytest.fixture
def device(tmp_path):
    """A device that swallows everything: another one than /dev/null, which belongs to the whole machine."""
    path = tmp_path / "swallows"
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        path.write_bytes(b"x")
    except OSError:
        pytest.skip("no devices can be made here")
    return path


def is_device(path):
    return stat.S_ISCHR(path.lstat().st_mode)


def test_a_file_is_replaced_whole_and_nothing_is_left_beside_it(tmp_path):
    path = tmp_path / "list.txt"
    for text in (b"first", b"second"):
        files.replace(path, text)
        assert path.read_bytes() == text
    assert list(tmp_path.iterdir()) == [path]


def test_a_reader_of_the_old_file_reads_it_to_its_end(tmp_path):
    path = tmp_path / "list.txt"
    files.replace(path, b"old")
    with path.open("rb") as reader:
        files.replace(path, b"new")
        assert reader.read() == b"old"


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "list.txt"
    files.replace(path, b"old")

    def full(handle, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        with pytest.raises(OSError, match="No space left") as found:
            files.replace(path, b"new")
    assert found.value.filename == str(path), "not the name of a file that nobody knows"
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


def test_a_new_file_is_on_the_disk_before_it_has_its_name_and_then_its_name_is(tmp_path, monkeypatch):
    done = []
    fsync, rename = os.fsync, Path.rename
    monkeypatch.setattr(os, "fsync", lambda handle: (done.append(os.fstat(handle).st_mode), fsync(handle)))
    monkeypatch.setattr(Path, "rename", lambda old, new: (done.append("rename"), rename(old, new))[1])
    files.replace(tmp_path / "list.txt", b"new")
    first, renamed, last = done
    assert stat.S_ISREG(first) and renamed == "rename" and stat.S_ISDIR(last)


def test_a_file_keeps_its_mode(tmp_path):
    path = tmp_path / "list.txt"
    path.write_bytes(b"old")
    path.chmod(0o640)
    files.replace(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_the_longest_name_can_be_replaced(tmp_path):
    path = tmp_path / ("ž" * 127)
    files.replace(path, b"new")
    assert path.read_bytes() == b"new"


def test_where_a_link_leads_to_a_file_the_file_is_replaced_and_the_link_stays(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    file, link = tmp_path / "elsewhere/list.txt", tmp_path / "list.txt"
    link.symlink_to(file)
    for text in (b"first", b"second"):  # at first it leads nowhere
        files.replace(link, text)
        assert link.is_symlink() and file.read_bytes() == text
    assert list(file.parent.iterdir()) == [file]


def test_a_device_is_never_replaced(tmp_path, device):
    """Found as root: /dev/null became a file, and every program of the machine was broken from then on."""
    link = tmp_path / "link"
    link.symlink_to(device)
    for path in (device, link):
        with pytest.raises(OSError, match="is a character device, no regular file"):
            files.replace(path, b"new")
        files.replace(path, b"new", as_it_is=files.STREAMS)
        assert is_device(device) and link.is_symlink()
    other = tmp_path / "file"
    other.write_bytes(b"x")
    for old, new in ((other, device), (device, other), (other, link)):
        with pytest.raises(OSError, match="is a character device"):
            files.rename(old, new)
    assert is_device(device) and other.read_bytes() == b"x"
    assert set(tmp_path.iterdir()) == {device, link, other}


def test_a_text_goes_through_a_fifo_to_whoever_reads_it(tmp_path):
    path, read = tmp_path / "fifo", []
    os.mkfifo(path)
    with pytest.raises(OSError, match="is a FIFO, no regular file"):
        files.replace(path, b"new")
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()))
    reader.start()
    files.replace(path, b"x" * 200_000, as_it_is=files.STREAMS)
    reader.join()
    assert read == [b"x" * 200_000] and path.is_fifo()


def test_sockets_and_directories_are_never_replaced(tmp_path):
    directory = tmp_path / "directory"
    directory.mkdir()
    with pytest.raises(files.NotRegular, match="Is a directory"):
        files.replace(directory, b"new", as_it_is=files.STREAMS)
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(tmp_path / "socket"))
        with pytest.raises(OSError, match="is a socket, no regular file"):
            files.replace(tmp_path / "socket", b"new", as_it_is=files.STREAMS)
    assert directory.is_dir() and (tmp_path / "socket").is_socket()


def test_no_other_module_gives_a_file_the_name_of_another():
    """Whoever renames or replaces does it here, where devices are known."""
    renaming = re.compile(
        r"os\.(rename|replace)\(|\b(fresh|scratch|old|new\w*|path|unfinished|\w+_file)\.(rename|replace)\([^\"']"
    )
    found = [str(path) for path in TXTR.rglob("*.py") if renaming.search(path.read_text("utf-8"))]
    assert found == [str(TXTR / "files.py")]


# --- who uses it


def test_a_log_that_goes_to_a_device_is_never_rotated(tmp_path, device):
    """A log of 100 MiB in /dev/null was renamed to /dev/null.1, the device with it."""
    log = tmp_path / "harvester-07.log"
    device.rename(log)
    diary = Diary(str(tmp_path / "{instance}.log"), "harvester-07", "INFO", 100 / MIB, 2)
    for number in range(30):
        diary.write(Event("started", f"turn-{number}"))
    diary.close()
    assert is_device(log) and list(tmp_path.iterdir()) == [log]


def test_a_log_that_nobody_wants_goes_to_dev_null():
    """It went to /dev/null-queuekeeper, into the memory of the machine."""
    assert place("/dev/null", "queuekeeper") == "/dev/null"


def test_a_log_cannot_go_through_a_fifo(tmp_path):
    """Whoever is slow to read it, or does not begin, would hold the robot up."""
    os.mkfifo(tmp_path / "fifo-harvester-07")
    with pytest.raises(UserMistake, match=r"--log-path=.*fifo-harvester-07: is a FIFO, no regular file"):
        Diary(str(tmp_path / "fifo"), "harvester-07", "INFO", 1.0, 2)


def test_a_list_of_lines_may_go_to_a_device(device):
    """--disallowed-target=/dev/null was refused: Invalid argument."""
    lines = Lines(device)
    lines.add("http://a.cz/private/")
    assert lines.is_synced
    lines.sync()
    lines.close()
    assert is_device(device)


def test_a_list_of_lines_and_a_corpus_are_files(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(UserMistake, match=r"--disallowed-target=.*fifo: cannot be written: is a FIFO"):
        Lines(tmp_path / "fifo")
    corpus = Corpus(tmp_path, "h", "utf-8")
    os.mkfifo(tmp_path / "h-00001.txt")
    with pytest.raises(OSError, match=r"is a FIFO, no regular file: .*h-00001.txt"):
        corpus.keep(b"")


@pytest.mark.parametrize("option", ["disallowed-target", "abandoned-target", "log-path"])
def test_what_cannot_be_written_to_is_refused_before_the_start_by_the_name_of_its_option(option, tmp_path):
    """A FIFO that nobody reads would otherwise let the start wait for ever."""
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "fifo-queuekeeper").symlink_to("fifo")
    with contextlib.chdir(tmp_path):
        Path("urls.txt").write_text("http://a.cz/")
        with pytest.raises(UserMistake, match=f"^--{option}=fifo: is a FIFO, no regular file$"):
            check_files(parse([f"--{option}=fifo"]), ["queuekeeper"])
        (tmp_path / "PID.txt").symlink_to("fifo")
        with pytest.raises(UserMistake, match=r"^PID.txt: is a FIFO, no regular file$"):
            check_files(Options(), ["queuekeeper"])


@pytest.mark.parametrize("option", ["disallowed-target", "abandoned-target", "log-path"])
def test_devices_are_fine_for_lists_and_logs(option, tmp_path, device):
    (tmp_path / "swallows-queuekeeper").symlink_to(device)
    with contextlib.chdir(tmp_path):
        Path("urls.txt").write_text("http://a.cz/")
        before = set(tmp_path.iterdir())
        check_files(parse([f"--{option}={device}"]), ["queuekeeper"])
        assert set(tmp_path.iterdir()) == before and is_device(device)


@pytest.mark.parametrize("nobody", ["none", "/dev/null"])
@pytest.mark.parametrize(
    "option",
    ["target", "non-html-target", "rejected-target", "disallowed-target", "abandoned-target"],
)
def test_a_file_that_nobody_wants_is_none_or_dev_null(option, nobody, tmp_path):
    chosen = parse([f"--{option}={nobody}"])
    assert getattr(chosen, option.replace("-", "_")) == "none"
    with contextlib.chdir(tmp_path):
        Path("urls.txt").write_text("http://a.cz/")
        Path("none").write_text("a file of this name does not matter")
        check_files(chosen, ["queuekeeper"])


def test_a_file_called_none_can_be_named():
    assert parse(["--target=./none"]).target == "./none"


def test_what_a_program_prints_to_is_not_replaced(tmp_path):
    """/dev/stdout may be a regular file, by the shell's hand: the rest of what is printed was lost."""
    out = tmp_path / "out.txt"
    code = (
        "from txtr import files; from pathlib import Path; print('before')\n"
        "files.replace(Path('/dev/stdout'), b'page\\n'); print('after')"
    )
    with out.open("wb") as file:
        subprocess.run([sys.executable, "-c", code], stdout=file, check=True, cwd=TXTR.parent)
    assert out.read_text() == "before\npage\nafter\n"


def left_over(path, hours=2.0):
    """What a writer that was killed has left, so long ago."""
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"half")
    then = path.stat().st_mtime - 3600 * hours
    os.utime(path, (then, then))
    return path


def test_what_killed_writers_have_left_is_removed_when_nobody_can_be_writing_it(tmp_path):
    """They piled up: one a crash, of up to 10 MB each."""
    gone = [left_over(tmp_path / f".{name}.new") for name in ("a.txt.7", "a.txt.7-0123abcd", "b.pdf.1")]
    stays = [
        left_over(tmp_path / ".a.txt.8-0123abcd.new", hours=0.5),
        *(left_over(tmp_path / name) for name in ("a.txt", "a.7.new", ".a.txt.new", ".a.x7.new", ".7.new")),
    ]
    (tmp_path / ".dir.7.new").mkdir()
    (tmp_path / ".link.7.new").symlink_to("a.txt")
    for path in (tmp_path / ".dir.7.new", tmp_path / ".link.7.new"):
        os.utime(path, (0, 0), follow_symlinks=False)
        stays.append(path)
    files.remove_leftovers_of(tmp_path / "a.txt")
    assert not gone[0].exists() and not gone[1].exists() and gone[2].exists()
    files.remove_leftovers(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted(stays)
    files.remove_leftovers(tmp_path / "nowhere")


def test_what_a_kill_leaves_is_known_for_a_leftover(tmp_path):
    """Really killed: the names that are written and those that are removed are the same."""
    code = "import os, signal; from pathlib import Path; from txtr import files\n"
    code += "os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)\n"
    where = {"cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": str(TXTR.parent)}}
    for name in ("status.json", "ž" * 120):
        subprocess.run([sys.executable, "-c", f"{code}files.replace(Path({name!r}), b'x')"], **where)
    left = list(tmp_path.iterdir())
    assert len(left) == 2
    for path in left:
        os.utime(path, (0, 0))
    files.remove_leftovers_of(tmp_path / "status.json")
    files.remove_leftovers_of(tmp_path / ("ž" * 120))
    assert list(tmp_path.iterdir()) == []


def test_writers_of_one_number_do_not_take_each_others_file(tmp_path, monkeypatch):
    """Two containers on one disk: in each the program has number 1."""
    path, sync = tmp_path / "list.txt", os.fsync

    def write_meanwhile(handle):
        monkeypatch.setattr(os, "fsync", sync)
        files.replace(path, b"another's")
        assert path.read_bytes() == b"another's"

    monkeypatch.setattr(os, "fsync", write_meanwhile)
    files.replace(path, b"ours")
    assert path.read_bytes() == b"ours"
    assert list(tmp_path.iterdir()) == [path]


def test_each_program_tidies_up_what_is_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    chosen = Options(state="state", urls="", log_path="/dev/null")
    state = left_over(tmp_path / "state" / ".status.json.1.new")
    abandoned = left_over(tmp_path / ".abandoned.txt.1.new")
    users = left_over(tmp_path / ".notes.txt.1.new")
    keeper = Queuekeeper(chosen, Watch())
    keeper.books.close()
    keeper.lock.close()
    assert not state.exists() and not abandoned.exists()
    pids = left_over(tmp_path / ".PID.txt.1.new")
    write_pids([1])
    assert not pids.exists()
    body = b"%PDF-1.4"
    aside = Aside(tmp_path / "aside", "h")
    path = tmp_path / "aside" / aside.keep("http://a.cz/a.pdf", "application/pdf", body, "", None)
    aside.close()
    path.unlink()
    kept = left_over(path.with_name(".b.pdf.1.new"))
    aside = Aside(tmp_path / "aside", "h")
    aside.keep("http://a.cz/a.pdf", "application/pdf", body, "", None)
    aside.close()
    assert not kept.exists() and users.exists()
