"""What an agent reads: values with their levels, and text of documents apart from the server's own."""

import base64

import pytest
from mcp.types import BlobResourceContents, ImageContent, TextResourceContents

from invoices_client import AsyncClient
from serve_app.domain.batch import Section
from tests.clients.mcp.conftest import Connect, certain, texts
from tests.support import PDF_BYTES


async def test_an_invoice_has_levels_and_doubts(connect: Connect, invoice_id: str) -> None:
    async with connect() as agent:
        result = await agent.call_tool("get_invoice", {"invoice_id": invoice_id})
    answer = result.structured_content
    assert answer["untrusted"]["fields"]["amount"]["value"] == "1190.5"
    assert answer["untrusted"]["fields"]["amount"]["level"] == "high"
    assert [doubt["about"] for doubt in answer["doubts"]] == [
        "vendor",
        "invoice_number",
        "currency",
        "issued_at",
        "due_at",
        "tax",
    ]


async def test_text_of_the_document_has_a_block_of_its_own(connect: Connect, invoice_id: str) -> None:
    async with connect() as agent:
        result = await agent.call_tool("get_invoice", {"invoice_id": invoice_id})
        found = await agent.call_tool("search_invoices", {"vendor": "acme", "status": "complete", "min_amount": 1000})
        vendors = await agent.call_tool("list_vendors", {})
        explained = await agent.call_tool("explain_field", {"invoice_id": invoice_id, "field": "vendor"})
    for each in (result, found, vendors, explained):
        own, document = texts(each)
        assert "ACME" not in own
        assert "ACME GmbH" in document
        assert document.startswith("<untrusted-document-")
        assert document.endswith(document.splitlines()[0].replace("<", "</"))
    assert found.structured_content["invoices"][0]["id"] == invoice_id
    assert vendors.structured_content["vendors"][0]["totals"] == {"EUR": "1190.5"}
    assert explained.structured_content["level"] is None


HIDDEN = "ACME\U000e0041\U000e0042 \u202eGmbH\u200b"


@pytest.mark.parametrize("section", [certain(vendor_name=HIDDEN)], ids=["hidden"])
async def test_what_people_cannot_see_is_left_out(connect: Connect, section: Section, invoice_id: str) -> None:
    async with connect() as agent:
        result = await agent.call_tool("get_invoice", {"invoice_id": invoice_id})
    assert result.structured_content["untrusted"]["fields"]["vendor"]["value"] == "ACME GmbH"


async def test_lists_have_pages(connect: Connect, client: AsyncClient) -> None:
    ids = [(await client.invoices.create_and_wait(file=PDF_BYTES, file_name=f"{number}.pdf")).id for number in "abc"]
    async with connect() as agent:
        first = await agent.call_tool("search_invoices", {"limit": 2})
        rest = await agent.call_tool("search_invoices", {"starting_after": first.structured_content["next"]})
    found = [*first.structured_content["invoices"], *rest.structured_content["invoices"]]
    assert [each["id"] for each in found] == ids[::-1]
    assert rest.structured_content["next"] is None


async def test_a_page_is_a_picture(connect: Connect, invoice_id: str) -> None:
    async with connect() as agent:
        result = await agent.call_tool("invoice_page", {"invoice_id": invoice_id})
    (picture,) = [block for block in result.content if isinstance(block, ImageContent)]
    assert base64.b64decode(picture.data).startswith(b"\xff\xd8")
    assert picture.meta == {"invoices/untrusted": True}


async def test_an_unknown_field_names_those_there_are(connect: Connect, invoice_id: str) -> None:
    async with connect() as agent:
        result = await agent.call_tool("explain_field", {"invoice_id": invoice_id, "field": "colour"})
    assert result.is_error
    assert "vendor, invoice_number" in texts(result)[0]


async def test_invoices_and_pages_are_resources(connect: Connect, invoice_id: str) -> None:
    async with connect() as agent:
        (listed,) = (await agent.list_resources()).resources
        (invoice,) = (await agent.read_resource(listed.uri)).contents
        (page,) = (await agent.read_resource(f"{listed.uri}/pages/1")).contents
        templates = (await agent.list_resource_templates()).resource_templates
    assert isinstance(invoice, TextResourceContents)
    assert f'"id":"{invoice_id}"' in invoice.text
    assert isinstance(page, BlobResourceContents)
    assert page.mime_type == "image/jpeg"
    assert [each.uri_template for each in templates] == ["invoices://{id}", "invoices://{id}/pages/{page}"]


async def test_each_tool_has_schemas(connect: Connect) -> None:
    async with connect() as agent:
        tools = (await agent.list_tools()).tools
    assert [tool.name for tool in tools] == [
        "get_invoice",
        "search_invoices",
        "list_vendors",
        "explain_field",
        "invoice_page",
        "extract_invoice",
        "mark_paid",
        "tag",
        "request_approval",
    ]
    assert all(tool.output_schema and tool.description for tool in tools)
