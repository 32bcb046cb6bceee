"""Dovecot as a process of this machine, with one mailbox that takes any user name."""

import os
import pwd
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DOVECOT = shutil.which("dovecot") or "/usr/sbin/dovecot"
PASSWORD = "a/b:c"

_CONFIG = """
protocols = imap
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
first_valid_uid = 1
mail_location = sdbox:{folder}/mail/%u
service imap-login {{
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/home/%u
}}
"""


def can_run() -> bool:
    """Its login processes need a user of their own, so it has to be started by root."""
    return Path(DOVECOT).exists() and os.geteuid() == 0


@contextmanager
def dovecot(folder: Path) -> Iterator[int]:
    """The port at which it listens."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    nobody = pwd.getpwnam("nobody")
    for path in (folder, *folder.parents):
        if path != Path("/tmp"):  # noqa: S108
            path.chmod(path.stat().st_mode | 0o11)
        else:
            break
    for name in ("mail", "home"):
        (folder / name).mkdir()
        os.chown(folder / name, nobody.pw_uid, nobody.pw_gid)
    config = folder / "dovecot.conf"
    config.write_text(_CONFIG.format(folder=folder, port=port, password=PASSWORD, uid=nobody.pw_uid, gid=nobody.pw_gid))
    process = subprocess.Popen([DOVECOT, "-F", "-c", str(config)])
    try:
        _wait(port, process)
        yield port
    finally:
        process.terminate()
        process.wait(10)


def _wait(port: int, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(100):
        if process.poll() is not None:
            raise RuntimeError("Dovecot has ended; what it says stands above")
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError
