"""The documents of a folder as rows of a CSV, by the tools of the server: `python folder_to_csv.py FOLDER CSV`."""

import asyncio
import csv
import os
import sys
from pathlib import Path

from mcp import Client, StdioServerParameters

FIELDS = ("vendor", "invoice_number", "issued_at", "amount", "currency")


async def main(folder: Path, paths: list[Path], out: Path) -> None:
    arguments = ["-m", "invoices_mcp.cli", "--folder", str(folder)]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
    with out.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["file", *FIELDS, "doubts"])
        async with Client(server) as client:
            for path in paths:
                result = await client.call_tool("extract_invoice", {"path": str(path)})
                if result.is_error:
                    continue
                invoice = result.structured_content
                values = [invoice["untrusted"]["fields"][field]["value"] for field in FIELDS]
                table.writerow([path.name, *values, " ".join(doubt["about"] for doubt in invoice["doubts"])])


if __name__ == "__main__":
    inbox = Path(sys.argv[1])
    asyncio.run(main(inbox, sorted(inbox.iterdir()), Path(sys.argv[2])))
