"""Files of a watched folder become invoices, each content once, and are moved."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from serve_app.domain.account import Plan
from serve_app.domain.errors import StoreUnreachable
from serve_app.domain.invoice import Failure, FailureCode, Source
from serve_app.services.watching.documents import tag_of
from serve_app.services.watching.ports import Destination, FolderEntry, FolderProblem
from serve_app.services.watching.watch import QUOTA_SECONDS
from serve_app.watched.local import LocalFolder
from tests.support import claim_next
from tests.support.watching import MAX_BYTES, WatchScene, pdf


class TestFile:
    async def test_becomes_an_invoice_and_is_moved_with_a_report(self, scene: WatchScene) -> None:
        scene.put("a.pdf", pdf("a"))
        await scene.take(scene.watch())
        (invoice,) = await scene.invoices()
        assert (invoice.file.name, invoice.source, invoice.entity_tag) == ("a.pdf", Source.APP, None)
        assert scene.paths() == ["done/a.pdf", "done/a.pdf.json"]
        report = scene.report("done/a.pdf.json")
        assert (report["file"], report["error"]) == ("a.pdf", None)
        assert [each["id"] for each in report["invoices"]] == [str(invoice.id)]

    async def test_is_not_read_while_it_changes(self, scene: WatchScene) -> None:
        watch = scene.watch()
        for text in ("a", "ab", "abc"):
            scene.put("a.pdf", pdf(text))
            await watch.run_round()
            scene.advance(9)
        assert await scene.invoices() == []
        scene.advance(1)
        await watch.run_round()
        assert len(await scene.invoices()) == 1

    async def test_of_a_subfolder_gets_its_name_as_tag(self, scene: WatchScene) -> None:
        scene.put("north/2026/a.pdf", pdf("a"))
        await scene.take(scene.watch())
        (invoice,) = await scene.invoices()
        assert invoice.entity_tag == "north"
        assert scene.paths() == ["done/north/2026/a.pdf", "done/north/2026/a.pdf.json"]

    async def test_may_have_a_name_that_is_no_text(self, scene: WatchScene) -> None:
        scene.put(os.fsdecode(b"\xff/\xfe.pdf"), pdf("a"))
        await scene.take(scene.watch())
        (invoice,) = await scene.invoices()
        assert (invoice.file.name, invoice.entity_tag) == (".pdf", None)
        assert len(scene.paths()) == 2

    async def test_with_known_content_is_the_same_invoice(self, scene: WatchScene) -> None:
        watch = scene.watch()
        scene.put("a.pdf", pdf("a"))
        await scene.take(watch)
        scene.put("b.pdf", pdf("a"))
        await scene.take(watch)
        (invoice,) = await scene.invoices()
        assert scene.report("done/b.pdf.json")["invoices"][0]["id"] == str(invoice.id)

    async def test_of_a_deleted_invoice_is_a_new_one_when_it_comes_again(self, scene: WatchScene) -> None:
        watch = scene.watch()
        scene.put("a.pdf", pdf("a"))
        await scene.take(watch)
        await scene.delete_invoice()
        scene.put("b.pdf", pdf("a"))
        await scene.take(watch)
        (invoice,) = await scene.invoices()
        assert invoice.file.name == "b.pdf"

    async def test_fails_if_its_invoice_is_deleted_while_it_is_processed(self, scene: WatchScene) -> None:
        watch = scene.watch()
        scene.put("a.pdf", pdf("a"))
        await scene.settle(watch)
        await scene.delete_invoice()
        await watch.run_round()
        assert scene.report("failed/a.pdf.json")["error"]["code"] == "invoice_deleted"
        assert await scene.invoices() == []

    async def test_whose_extraction_fails_is_moved_with_the_reason(self, scene: WatchScene) -> None:
        watch = scene.watch()
        scene.put("a.pdf", pdf("a"))
        await scene.settle(watch)
        failure = Failure(code=FailureCode.NO_TEXT_FOUND, message="No text was found.")
        await scene.store.queue.fail(await claim_next(scene.store), failure, scene.clock.now)
        await watch.run_round()
        report = scene.report("failed/a.pdf.json")
        assert report["error"] == {"code": "no_text_found", "message": "No text was found."}
        assert [each["status"] for each in report["invoices"]] == ["failed"]

    @pytest.mark.parametrize(
        ("data", "code"),
        [
            (b"", "empty_file"),
            (b"no document", "unsupported_file_type"),
            (pdf("a" * MAX_BYTES), "file_too_large"),
        ],
    )
    async def test_that_is_no_document_fails(self, scene: WatchScene, data: bytes, code: str) -> None:
        scene.put("a.pdf", data)
        watch = scene.watch()
        await scene.settle(watch)
        await watch.run_round()
        assert await scene.invoices() == []
        assert scene.paths() == ["failed/a.pdf", "failed/a.pdf.json"]
        assert scene.report("failed/a.pdf.json")["error"]["code"] == code
        assert (await scene.state()).failed == 1

    async def test_behind_a_symbolic_link_is_not_read(self, scene: WatchScene, tmp_path: Path) -> None:
        secret = tmp_path / "secret.pdf"
        secret.write_bytes(pdf("secret"))
        (scene.root / "a.pdf").symlink_to(secret)
        watch = scene.watch()
        await scene.settle(watch)
        await watch.run_round()
        assert await scene.invoices() == []
        assert (scene.root / "failed/a.pdf").is_symlink()
        assert scene.report("failed/a.pdf.json")["error"]["code"] == "symbolic_link"
        assert secret.exists()

    async def test_that_is_replaced_while_it_is_processed_is_another_one(self, scene: WatchScene) -> None:
        watch = scene.watch()
        scene.put("a.pdf", pdf("a"))
        await scene.settle(watch)
        scene.put("a.pdf", pdf("other"))
        await scene.process()
        await watch.run_round()
        assert "a.pdf" in scene.paths()
        await scene.take(watch)
        assert len(await scene.invoices()) == 2
        assert (scene.root / "done/a.pdf").read_bytes() == pdf("other")


class TestFolder:
    async def test_is_watched_by_one_process(self, scene: WatchScene) -> None:
        first, second = scene.watch(), scene.watch()
        scene.put("a.pdf", pdf("a"))
        for _ in range(2):
            await first.run_round()
            await second.run_round()
            scene.advance(10)
        assert await scene.process() == 1
        # The first process stops; the other one takes over when the lease has expired.
        scene.advance(120)
        await scene.settle(second)
        await second.run_round()
        assert scene.paths() == ["done/a.pdf", "done/a.pdf.json"]
        assert len(await scene.invoices()) == 1

    async def test_that_one_process_cannot_open_is_left_to_another_one(self, scene: WatchScene) -> None:
        first, second = scene.watch(lambda: LocalFolder(scene.root / "not mounted here")), scene.watch()
        scene.put("a.pdf", pdf("a"))
        await first.run_round()
        assert (await scene.state()).problem != ""
        await scene.take(second)
        await first.run_round()
        assert len(await scene.invoices()) == 1
        assert (await scene.state()).problem == ""

    async def test_that_is_missing_is_a_problem_until_it_is_back(self, scene: WatchScene) -> None:
        watch, aside = scene.watch(), scene.root.with_name("aside")
        scene.root.rename(aside)
        await watch.run_round()
        assert (await scene.state()).problem == f"{scene.root}: No such file or directory."
        assert not scene.root.exists()
        aside.rename(scene.root)
        scene.put("a.pdf", pdf("a"))
        scene.advance(10)
        await scene.take(watch)
        assert len(await scene.invoices()) == 1
        state = await scene.state()
        assert (state.problem, state.done, state.waiting) == ("", 1, 0)

    async def test_with_more_files_than_are_in_work_is_taken_in_turns(
        self, scene: WatchScene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("serve_app.services.watching.watch.MAX_IN_WORK", 2)
        for number in range(5):
            scene.put(f"{number}.pdf", pdf(str(number)))
        watch = scene.watch()
        await scene.settle(watch)
        assert watch.waiting == 5
        processed = []
        for _ in range(4):
            processed.append(await scene.process())
            await watch.run_round()
        assert processed == [2, 2, 1, 0]
        assert len(scene.paths()) == 10

    async def test_that_is_paused_is_left_alone(self, scene: WatchScene) -> None:
        watch = scene.watch()
        scene.put("a.pdf", pdf("a"))
        await watch.run_round()
        await scene.store.watched_folders.set_paused(scene.account.id, scene.folder.id, True)
        scene.advance(30)
        await scene.settle(watch)
        assert await scene.invoices() == []


class TestErrors:
    async def test_files_wait_while_the_quota_is_used_up(self, scene: WatchScene) -> None:
        limit = Plan.FREE.monthly_limit
        assert limit is not None
        for _ in range(limit):
            scene.put(f"{_}.pdf", pdf(str(_)))
        scene.put("last/a.pdf", pdf("a"))
        watch = scene.watch()
        await scene.settle(watch)
        for _ in range(3):
            await scene.process()
            await watch.run_round()
        state = await scene.state()
        assert state.problem == "The monthly quota is used up. Files wait."
        assert len(await scene.invoices()) == min(limit, 100)
        scene.clock.advance(31 * 86400)
        scene.advance(QUOTA_SECONDS)
        await scene.take(watch)
        assert (await scene.state()).problem == ""
        assert [path for path in scene.paths() if not path.startswith("done")] == []

    async def test_files_wait_while_the_storage_is_away(
        self, scene: WatchScene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def fail(*_: object) -> None:
            raise StoreUnreachable

        scene.put("a.pdf", pdf("a"))
        watch = scene.watch()
        with monkeypatch.context() as patch:
            patch.setattr(scene.store.watched_folders, "claim_file", fail)
            await scene.settle(watch)
        assert (await scene.state()).problem == "The service cannot reach its storage. Files wait."
        scene.advance(10)
        await scene.take(watch)
        assert len(await scene.invoices()) == 1
        assert (await scene.state()).problem == ""

    async def test_a_file_that_cannot_be_moved_delays_no_other_one(self, scene: WatchScene) -> None:
        class Stuck(LocalFolder):
            def move(self, entry: FolderEntry, destination: Destination, content: str, report: bytes) -> None:
                if entry.path == "a.pdf":
                    raise FolderProblem("a.pdf cannot be moved.")
                super().move(entry, destination, content, report)

        scene.put("a.pdf", pdf("a"))
        scene.put("b.pdf", pdf("b"))
        watch = scene.watch(lambda: Stuck(scene.root))
        await scene.take(watch)
        await watch.run_round()
        assert scene.paths() == ["a.pdf", "done/b.pdf", "done/b.pdf.json"]
        assert (await scene.state()).problem == "a.pdf cannot be moved."

    async def test_a_file_that_cannot_be_read_stops_the_others_only_for_a_while(self, scene: WatchScene) -> None:
        class Damaged(LocalFolder):
            def read(self, entry: FolderEntry, max_bytes: int) -> bytes:
                if entry.path == "a.pdf":
                    raise FolderProblem("The server does not answer.")
                return super().read(entry, max_bytes)

        scene.put("a.pdf", pdf("a"))
        watch = scene.watch(lambda: Damaged(scene.root))
        await scene.settle(watch)
        assert (await scene.state()).problem == "The server does not answer."
        scene.put("b.pdf", pdf("b"))
        for _ in range(6):
            scene.advance(10)
            await watch.run_round()
            await scene.process()
        error = scene.report("failed/a.pdf.json")["error"]
        assert error["message"] == "The service cannot read this file: The server does not answer."
        assert "done/b.pdf" in scene.paths()
        assert (await scene.state()).problem == ""

    async def test_nothing_is_sent_while_nothing_can_be_moved(self, scene: WatchScene) -> None:
        class Full(LocalFolder):
            def prepare(self) -> None:
                raise FolderProblem("No space left on device.")

        scene.put("a.pdf", pdf("a"))
        await scene.settle(scene.watch(lambda: Full(scene.root)))
        assert await scene.invoices() == []
        assert (await scene.state()).problem == "No space left on device."

    async def test_an_incomplete_listing_is_a_problem_but_stops_nothing(self, scene: WatchScene) -> None:
        class Partial(LocalFolder):
            def entries(self) -> Iterator[FolderEntry]:
                yield from super().entries()
                self.problem = "The subfolder x cannot be read: Permission denied."

        scene.put("a.pdf", pdf("a"))
        await scene.take(scene.watch(lambda: Partial(scene.root)))
        assert len(await scene.invoices()) == 1
        assert (await scene.state()).problem == "The subfolder x cannot be read: Permission denied."


@pytest.mark.parametrize(
    ("path", "tag"),
    [
        ("a.pdf", None),
        ("north/a.pdf", "north"),
        ("Cafe\u0301/b/a.pdf", "Caf\u00e9"),
        ("x" * 99 + "/a.pdf", "x" * 60),
        (os.fsdecode(b"\xff\xfe") + "/a.pdf", None),
        ("a\nb/c.pdf", "a b"),
    ],
)
def test_the_tag_is_the_name_of_the_top_folder(path: str, tag: str | None) -> None:
    assert tag_of(path) == tag
