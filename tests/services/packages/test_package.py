"""A package is verified by its script alone, and whatever is changed in it is found."""

import csv
import hashlib
import io
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from serve_app.domain.account import Account
from serve_app.domain.audit import Actor, ActorKind, AuditEntry
from serve_app.domain.ids import new_id
from serve_app.domain.record import file_key_of
from serve_app.services.packages import verify
from serve_app.services.packages.package import PackageRequest, PackageWriter
from serve_app.services.packages.signature import PackageSigner
from serve_app.store.base import Files, Store
from tests.support import NOON, PDF_BYTES, Clock
from tests.support.exports import new_export
from tests.support.mails import READ, complete_invoice

KEY = "a signing key of a deployment, long enough"
Parts = dict[str, bytes]


@pytest.fixture
def store_kind() -> str:
    return "sqlite"


@pytest.fixture
def writer(store: Store, files: Files, clock: Clock) -> PackageWriter:
    return PackageWriter(store, files, PackageSigner(KEY), clock)


@pytest.fixture
async def package(writer: PackageWriter, store: Store, files: Files, account: Account, tmp_path: Path) -> Path:
    """Of an account with two invoices, of which one is exported and the other has no document any more."""
    first = await complete_invoice(store, account.id)
    await complete_invoice(store, account.id, READ.model_copy(update={"invoice_number": "2", "amount": Decimal(7)}))
    await files.write(file_key_of(account.id, first.id), PDF_BYTES)
    assert await store.exports.add(new_export(first, account=account))
    actor = Actor(ActorKind.PERSON, new_id(), "=cmd@example.com")
    await store.audit.add(AuditEntry(new_id(), account.id, NOON, actor, "invoice.confirmed", str(first.id), {"a": "b"}))
    path = tmp_path / "2026.zip"
    done = await writer.write(path, PackageRequest(account.id))
    assert (done.invoices, len(done.missing)) == (2, 1)
    return path


def parts_of(path: Path) -> Parts:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def run(*command: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def packed(path: Path, parts: Parts) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return path


async def test_it_has_all_that_belongs_to_the_invoices(package: Path) -> None:
    parts = parts_of(package)
    kinds = sorted({name.partition("/")[0] for name in parts})
    expected = {"README.txt", "audit.csv", "documents", "exports", "invoices", "manifest.jsonl", "manifest.sig"}
    assert kinds == sorted({*expected, "public_key.pem", "verify.py"})
    (document,) = (data for name, data in parts.items() if name.startswith("documents/"))
    assert document == PDF_BYTES
    invoices = [json.loads(data) for name, data in parts.items() if name.endswith("/invoice.json")]
    assert {invoice["invoice_number"] for invoice in invoices} == {"2026-17", "2"}
    documents = [json.loads(data)["document"] for name, data in parts.items() if name.endswith("/document.json")]
    assert documents.count(None) == 1
    receipt = json.loads(next(data for name, data in parts.items() if name.endswith("/receipt.json")))
    assert parts[f"exports/{receipt['id']}/EXTF.csv"] == b"a;b\r\n"
    (row,) = csv.DictReader(io.StringIO(parts["audit.csv"].decode("utf-8-sig")))
    assert (row["actor"], row["action"], row["details"]) == ("'=cmd@example.com", "invoice.confirmed", '{"a": "b"}')


async def test_its_own_script_verifies_it_without_the_service(package: Path, tmp_path: Path) -> None:
    script = tmp_path / "verify.py"
    script.write_bytes(parts_of(package)["verify.py"])
    done = run(sys.executable, "-I", str(script), str(package), folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "whole" in done.stdout


def _change_a_value(parts: Parts) -> None:
    name = next(name for name in parts if name.endswith("/invoice.json"))
    parts[name] = parts[name].replace(b"2026-17", b"2026-18").replace(b'"2"', b'"3"')


def _change_with_its_hash(parts: Parts) -> None:
    """Somebody who corrects the entry, and not the chain after it."""
    old, new = hashlib.sha256(PDF_BYTES).hexdigest(), hashlib.sha256(b"x" * len(PDF_BYTES)).hexdigest()
    name = next(name for name in parts if name.startswith("documents/"))
    parts[name] = b"x" * len(PDF_BYTES)
    parts["manifest.jsonl"] = parts["manifest.jsonl"].replace(old.encode(), new.encode())


def _drop_an_entry(parts: Parts) -> None:
    name = next(name for name in parts if name.startswith("documents/"))
    del parts[name]
    lines = parts["manifest.jsonl"].splitlines(keepends=True)
    parts["manifest.jsonl"] = b"".join(line for line in lines if name.encode() not in line)


def _cut_the_end(parts: Parts) -> None:
    parts["manifest.jsonl"] = b"".join(parts["manifest.jsonl"].splitlines(keepends=True)[:-2])


def _change_the_header(parts: Parts) -> None:
    parts["manifest.jsonl"] = parts["manifest.jsonl"].replace(b'"made_at": "2026', b'"made_at": "2025')


@pytest.mark.parametrize(
    "tamper",
    [
        _change_a_value,
        _change_with_its_hash,
        _drop_an_entry,
        _cut_the_end,
        _change_the_header,
        lambda parts: parts.update({"invoices/more.json": b"{}"}),
        lambda parts: parts.pop("audit.csv"),
        lambda parts: parts.update({"manifest.jsonl": b""}),
        lambda parts: parts.update({"manifest.jsonl": b"[]\n[]\n"}),
    ],
)
async def test_whatever_is_changed_is_found(
    package: Path, tmp_path: Path, tamper: Callable[[Parts], None], capsys: pytest.CaptureFixture[str]
) -> None:
    parts = parts_of(package)
    tamper(parts)
    assert verify.main(str(packed(tmp_path / "changed.zip", parts))) == 1
    assert "whole. SHA" not in capsys.readouterr().out


def test_no_package_is_no_crash(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04 but no more")
    assert verify.main(str(tmp_path / "a.zip")) == 1
    assert verify.main(str(tmp_path / "missing.zip")) == 1


class TestSignature:
    async def test_is_of_the_deployment_and_of_the_whole_manifest(self, package: Path) -> None:
        parts = parts_of(package)
        key = load_pem_public_key(PackageSigner(KEY).public_key)
        key.verify(parts["manifest.sig"], parts["manifest.jsonl"])  # type: ignore[union-attr, call-arg]
        for other, data in ((PackageSigner("another"), parts["manifest.jsonl"]), (PackageSigner(KEY), b"x")):
            with pytest.raises(InvalidSignature):
                load_pem_public_key(other.public_key).verify(parts["manifest.sig"], data)  # type: ignore[union-attr, call-arg]

    async def test_the_documented_command_verifies_it(self, package: Path, tmp_path: Path) -> None:
        if shutil.which("openssl") is None:
            pytest.skip("there is no openssl")
        for name, data in parts_of(package).items():
            if "/" not in name:
                (tmp_path / name).write_bytes(data)
        command = next(line for line in parts_of(package)["README.txt"].decode().splitlines() if "openssl" in line)
        done = run(*command.split(), folder=tmp_path)
        assert done.returncode == 0, done.stderr


async def test_of_one_invoice_or_a_period(
    writer: PackageWriter, store: Store, account: Account, tmp_path: Path
) -> None:
    may = await complete_invoice(store, account.id)
    june = READ.model_copy(update={"invoice_number": "2", "issued_at": date(2026, 6, 2)})
    await complete_invoice(store, account.id, june)
    for request in (
        PackageRequest(account.id, may.id),
        PackageRequest(account.id, since=date(2026, 5, 1), until=date(2026, 5, 31)),
    ):
        done = await writer.write(tmp_path / "some.zip", request)
        assert done.invoices == 1
        assert f"invoices/{may.id}/invoice.json" in parts_of(tmp_path / "some.zip")
    with pytest.raises(LookupError):
        await writer.write(tmp_path / "none.zip", PackageRequest(account.id, new_id()))
    assert not (tmp_path / "none.zip").exists()
