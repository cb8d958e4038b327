"""A real reverse proxy before a server, as docs/how-to/host.md sets it up; on loopback only."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
from pathlib import Path

import httpx
from servers import Missing, wait_for

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "host.md").read_text("utf-8")
UNPACKED = [ROOT / ".venv" / "nginx" / "usr" / "sbin", Path("/usr/sbin")]
NGINX = """
daemon off;
error_log {folder}/error.log;
pid {folder}/nginx.pid;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
    uwsgi_temp_path {folder}; scgi_temp_path {folder};
    server {{
        listen 127.0.0.1:{port};
        {shown}
    }}
}}
"""
CADDY = """
{{
    admin off
    auto_https off
}}
{shown}
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


class Proxy:
    """nginx or Caddy; `below` is where people find the site."""

    def __init__(self, name: str, folder: Path) -> None:
        places = os.pathsep.join([os.environ["PATH"], *map(str, UNPACKED)])
        program = shutil.which(name, path=places)
        if not program:
            raise Missing(f"no {name} here: apt-get install {name}")
        self.port, self.server_port = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.below = f"{self.url}/duels"
        config = folder / f"{name}.conf"
        config.write_text(getattr(self, f"_{name}")(folder))
        if name == "nginx":
            command = [program, "-e", str(folder / "error.log"), "-p", str(folder), "-c", config]
        else:
            command = [program, "run", "--adapter", "caddyfile", "--config", config]
        home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        with (folder / "proxy.log").open("w") as log:
            self.process = subprocess.Popen(command, env=os.environ | home, stdout=log, stderr=log)
        try:
            wait_for(self._answers, 20)
        except AssertionError:
            self.stop()
            raise AssertionError((folder / "proxy.log").read_text()) from None

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=10)

    def _answers(self) -> bool:
        try:
            return bool(httpx.get(self.url).status_code)
        except httpx.TransportError:
            return False

    def _nginx(self, folder: Path) -> str:
        return NGINX.format(folder=folder, port=self.port, shown=self._shown("nginx"))

    def _caddy(self, folder: Path) -> str:
        here = f"{self.url} {{\n    bind 127.0.0.1"
        return CADDY.format(shown=self._shown("caddyfile").replace("duels.example {", here))

    def _shown(self, language: str) -> str:
        """What the page tells people to write, with the port of this server."""
        block = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
        assert block
        return block[1].replace("127.0.0.1:8765", f"127.0.0.1:{self.server_port}")
