"""The examples of the quick start."""

from datetime import datetime

_PYTHON = """\
# pip install httpx
import os

import httpx

api = httpx.Client(
    base_url="{address}",
    headers={{"Authorization": f"Bearer {{os.environ['INVOICES_KEY']}}"}},
    timeout=90,
)
with open("sample.pdf", "rb") as file:
    answer = api.post("/v1/invoices", params={{"wait": "true"}}, files={{"file": file}})
answer.raise_for_status()
invoice = answer.json()
print(invoice["vendor_name"], invoice["amount"], invoice["currency"])"""


def curl_example(address: str, key: str) -> str:
    """Fetches the sample and sends it. `key` may be the name of a variable."""
    export = "" if key.startswith("$") else f"export INVOICES_KEY='{key}'\n"
    return (
        f"{export}curl -so sample.pdf {address}/app/quick-start/sample.pdf\n"
        f"curl '{address}/v1/invoices?wait=true' \\\n"
        '  -H "Authorization: Bearer $INVOICES_KEY" \\\n'
        "  -F file=@sample.pdf"
    )


def python_example(address: str) -> str:
    """The same with a library; the key is in the environment."""
    return _PYTHON.format(address=address)


def moment_in(text: str) -> datetime | None:
    """The aware moment in the text, if it is one."""
    try:
        moment = datetime.fromisoformat(text.replace(" ", "+"))
    except ValueError:
        return None
    return moment if moment.tzinfo else None
