"""A file is complete once it has not changed for a while."""

from serve_app.services.watching.ports import FolderEntry
from serve_app.services.watching.settling import Settling


class Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def entries(**versions: str) -> list[FolderEntry]:
    return [FolderEntry(path, 1, version) for path, version in versions.items()]


def test_a_file_settles_when_its_version_stays() -> None:
    time = Time()
    settling = Settling(10, time)
    assert settling.scan(entries(a="1"), ()).settled == []
    time.now = 9
    assert settling.scan(entries(a="2"), ()).settled == []
    time.now = 18
    assert settling.scan(entries(a="2"), ()).settled == []
    time.now = 19
    assert settling.scan(entries(a="2"), ()).settled == entries(a="2")


def test_files_in_work_are_counted_only() -> None:
    scan = Settling(0, Time()).scan(entries(a="1", b="1"), {"a"})
    assert (scan.settled, scan.count) == (entries(b="1"), 2)


def test_the_number_of_files_that_are_remembered_is_limited() -> None:
    time = Time()
    settling = Settling(10, time, max_known=2, max_settled=1)
    some = entries(a="1", b="1", c="1")
    settling.scan(some, ())
    taken = []
    for _ in range(5):
        time.now += 10
        found = settling.scan(some, ()).settled
        taken += [entry.path for entry in found]
        some = [entry for entry in some if entry not in found]
    assert taken == ["a", "b", "c"]
