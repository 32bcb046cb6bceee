"""HAProxy as Ray Serve starts it, in front of a server of this process."""

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from ray.serve._private import haproxy as ray_haproxy
from ray.serve.config import HTTPOptions

from actors.haproxy_config import complete_config, haproxy_binary, write_error_pages
from actors.pace import ConnectionLimits
from serve_app.settings.edge import EdgeSettings
from tests.support.ports import free_port
from tests.support.serving import Client

# A body that stands still is for the replica to end, however busy the machine is: HAProxy would answer 400.
QUICK = ConnectionLimits(head_seconds=0.5, grace_seconds=8)


@dataclass(frozen=True, slots=True)
class Ports:
    """Where HAProxy listens."""

    http: int
    stats: int


def ray_config(folder: Path, ports: Ports, backends: Sequence[int]) -> Path:
    """The file that Ray writes in `folder`, for replicas at these ports."""
    servers = [ray_haproxy.ServerConfig(name=f"replica{port}", host="127.0.0.1", port=port) for port in backends]
    config = ray_haproxy.HAProxyConfig(
        socket_path=str(folder / "admin.sock"),
        server_state_base=str(folder),
        server_state_file=str(folder / "state"),
        metrics_socket_path=str(folder / "metrics.sock"),
        stats_port=ports.stats,
        metrics_port=free_port(),
        http_options=HTTPOptions(host="127.0.0.1", port=ports.http, keep_alive_timeout_s=75),
        has_received_routes=True,
        has_received_servers=True,
    )
    known = {"app": ray_haproxy.BackendConfig(name="app", path_prefix="/", app_name="app", servers=servers)}
    path = folder / "haproxy.cfg"
    api = ray_haproxy.HAProxyApi(cfg=config, backend_configs=known if servers else {}, config_file_path=str(path))
    api._generate_config_file_internal()
    return path


def completed(path: Path, settings: EdgeSettings) -> list[str]:
    """Complete the file with short deadlines; returns the command that starts HAProxy with it."""
    write_error_pages(path.parent)
    path.write_text(complete_config(path.read_text(), path.parent, settings, QUICK))
    return [haproxy_binary(), "-db", "-f", str(path)]


@asynccontextmanager
async def running_haproxy(backends: Sequence[int], command_for: Callable[[Path], list[str]]) -> AsyncIterator[Ports]:
    """HAProxy in front of these ports, by a command made for Ray's configuration file."""
    ports = Ports(free_port(), free_port())
    # With a short path: sockets lie in it.
    with tempfile.TemporaryDirectory() as name:
        command = command_for(ray_config(Path(name), ports, backends))
        environment = {**os.environ, "INVOICES_PYTHON": sys.executable}
        process = await asyncio.create_subprocess_exec(*command, env=environment)
        try:
            await _until_it_listens(process, ports.http)
            yield ports
        finally:
            Client.close_all()
            if process.returncode is None:
                process.kill()
            await process.wait()


async def _until_it_listens(process: asyncio.subprocess.Process, port: int) -> None:
    async with asyncio.timeout(60):
        while process.returncode is None:
            try:
                (await Client.connect(port)).close()
                return
            except ConnectionRefusedError:
                await asyncio.sleep(0.05)
    raise RuntimeError(f"HAProxy ended with exit status {process.returncode}")
