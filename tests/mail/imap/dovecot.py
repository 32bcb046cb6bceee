"""Dovecot as a process of this machine, with one mailbox that takes any user name. Started by root, it has users of its
own and no rights beyond them; else all its processes run as whoever started it."""

import grp
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
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
# Without root, no process can change its user or its root directory.
_UNPRIVILEGED = """
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
service anvil {{
  chroot =
}}
service imap-login {{
  chroot =
}}
"""


@contextmanager
def dovecot(folder: Path) -> Iterator[int]:
    """The port at which it listens."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    owner = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    for name in ("mail", "home"):
        (folder / name).mkdir()
    config = folder / "dovecot.conf"
    text = _CONFIG.format(folder=folder, port=port, password=PASSWORD, uid=owner.pw_uid, gid=owner.pw_gid)
    if os.geteuid() == 0:
        _give_to(owner, folder)
    else:
        text += _UNPRIVILEGED.format(user=owner.pw_name, group=grp.getgrgid(owner.pw_gid).gr_name)
    config.write_text(text)
    process = subprocess.Popen([DOVECOT, "-F", "-c", str(config)])
    try:
        _wait(port, process)
        yield port
    finally:
        process.terminate()
        process.wait(10)


def _give_to(owner: pwd.struct_passwd, folder: Path) -> None:
    """Let the owner of the mailbox reach its folders, and write into them."""
    for path in (folder, *folder.parents):
        if path == Path(tempfile.gettempdir()):
            break
        path.chmod(path.stat().st_mode | 0o11)
    for name in ("mail", "home"):
        os.chown(folder / name, owner.pw_uid, owner.pw_gid)


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
