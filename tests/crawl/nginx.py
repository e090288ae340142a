"""A village served by nginx: the witness is a server that many people run, and none of our code.

Every answer of the village becomes a file or a line of nginx's configuration; keep-alive, gzip, two
workers, and the log format that the auditor reads.
"""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tests.village.auditor import NGINX_FORMAT, Entry, read_nginx_log
from tests.village.run import Crawl
from tests.village.village import Village
from txtr.demo.web import Answer, Host

PROGRAM = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
PATIENCE = 20.0  # seconds for it to start, and to end
MOVED = (301, 302, 303, 307, 308)

CONFIG = """
{user}
daemon off;
worker_processes 2;
pid nginx.pid;
error_log error.log;
events {{ worker_connections 1024; }}
http {{
    log_format audited '{log_format}';
    access_log nginx.log audited;
    client_body_temp_path temp; proxy_temp_path temp; fastcgi_temp_path temp;
    uwsgi_temp_path temp; scgi_temp_path temp;
    types {{ }}
    default_type text/html;
    charset utf-8;
    gzip on; gzip_min_length 1; gzip_types *;
    keepalive_timeout 20;
    server_names_hash_bucket_size 128;
    {servers}
}}
"""


class NginxCrawl(Crawl[Village]):
    """A crawl of a village that nginx serves."""

    def __init__(
        self, build: Callable[[int], Village], directory: Path, options: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(build, directory, options)
        for door in self.doors:  # they have shown that the port is free on all addresses
            door.close()
        self.service = Nginx(self.web, directory / "nginx")  # type: ignore[assignment]

    def entries(self) -> list[Entry]:
        return read_nginx_log((self.directory / "nginx/nginx.log").read_text())


class Nginx:
    """The server as a process."""

    def __init__(self, web: Village, directory: Path) -> None:
        self.web = web
        self.directory = directory

    def start(self) -> None:
        self.directory.mkdir()
        (self.directory / "nginx.conf").write_text(_config(self.web, self.directory), encoding="utf-8")
        command = [str(PROGRAM), "-p", str(self.directory), "-c", "nginx.conf", "-e", "error.log"]
        self.process = subprocess.Popen(command)
        for address in self.web.addresses:
            self._await(address)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)

    def _await(self, address: str) -> None:
        """Until it listens; connecting alone is not a request, so it leaves no trace in the log."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection((address, self.web.port)).close()
                return
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise
                time.sleep(0.05)


def _config(web: Village, directory: Path) -> str:
    servers = "\n".join(_server(host, web.port, directory / "sites") for host in web.hosts.values())
    user = "user root;" if os.getuid() == 0 else ""  # else its workers may not read our directory
    return CONFIG.format(user=user, log_format=NGINX_FORMAT, servers=servers)


def _server(host: Host, port: int, sites: Path) -> str:
    root = sites / host.name
    root.mkdir(parents=True)
    lines = list(_locations(host, root))
    return (
        f"server {{ listen {host.address}:{port}; server_name {host.name}; root {root};\n"
        f"    {' '.join(lines)} }}"
    )


def _locations(host: Host, root: Path) -> Iterator[str]:
    if isinstance(host.robots, str):
        (root / "robots.txt").write_text(host.robots)
    for path, answer in host.answers.items():
        assert isinstance(answer, Answer)
        if answer.status in MOVED:
            yield f"location = {path} {{ return {answer.status} {answer.headers['Location']}; }}"
            continue
        file = root / (path.strip("/") or "index.html")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(answer.body)
        if tag := answer.headers.get("X-Robots-Tag"):
            yield f'location = {path} {{ add_header X-Robots-Tag "{tag}"; }}'
