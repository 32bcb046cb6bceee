"""Report the memory of the running service, process by process.

RSS counts a page in every process that maps it; PSS shares it out among them, so only PSS may be summed up.
Usage: scripts/memory.py [PID of `invoices serve`]
"""

import sys

import psutil

MB = 2**20


def find_service() -> psutil.Process:
    """The process of `invoices serve`."""
    for process in psutil.process_iter(["cmdline"]):
        command = process.info["cmdline"] or []
        if "serve" in command and any(part.endswith("/invoices") for part in command):
            return process
    sys.exit("the service does not run here; start it with: make run")


def name_of(process: psutil.Process) -> str:
    """What the process is, in few words."""
    command = process.cmdline() or [process.name()]
    if command[0].startswith("ray::"):
        return command[0].strip()
    if "-m" in command:
        return command[command.index("-m") + 1]
    scripts = [part for part in command[:4] if part.endswith((".py", "/invoices"))] or command[:1]
    return scripts[0].rsplit("/", 1)[-1]


def main() -> None:
    service = psutil.Process(int(sys.argv[1])) if len(sys.argv) > 1 else find_service()
    total_rss = total_pss = 0
    print(f"{'PID':>8} {'RSS MB':>8} {'PSS MB':>8}  process")
    for process in [service, *service.children(recursive=True)]:
        try:
            memory, name = process.memory_full_info(), name_of(process)
        except psutil.NoSuchProcess:
            continue
        total_rss, total_pss = total_rss + memory.rss, total_pss + memory.pss
        print(f"{process.pid:>8} {memory.rss / MB:>8.0f} {memory.pss / MB:>8.0f}  {name}")
    print(f"{'all':>8} {total_rss / MB:>8.0f} {total_pss / MB:>8.0f}")


if __name__ == "__main__":
    main()
