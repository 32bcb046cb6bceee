"""Ports for servers of tests."""

import socket


def free_port() -> int:
    """A port of this machine on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def listening_socket(port: int = 0) -> socket.socket:
    """A socket that listens at the port of this machine, or any. Unlike `socket.create_server` it names its protocol;
    else asyncio leaves Nagle's algorithm on, and every answer on a connection that is kept takes 40 ms longer."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    listening.listen()
    return listening
