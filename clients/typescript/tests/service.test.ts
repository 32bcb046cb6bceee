/** With a service that INVOICES_URL and INVOICES_API_KEY name, in a folder that has the samples of the project. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import ts from "typescript";
import { APIError, Client, InvalidRequestError, NotFoundError } from "../src/node/index.js";
import { listed } from "./support.js";

const PACKAGE = new URL("../../", import.meta.url);
const run = promisify(execFile);

/** The examples of a page as one program; it is in the package, so that it finds the package by its name. */
async function program(page: string): Promise<string> {
  const text = await readFile(new URL(page, PACKAGE), "utf8");
  const examples = [...text.matchAll(/^```typescript\n(.*?)^```/gms)].map(([, example]) => example).join("\n");
  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const folder = new URL("build/pages/", PACKAGE);
  await mkdir(folder, { recursive: true });
  const file = new URL(`${page.replaceAll(/[^\w]+/g, "-")}.js`, folder);
  await writeFile(file, ts.transpileModule(examples, { compilerOptions: options }).outputText);
  return fileURLToPath(file);
}

describe("a service", { skip: process.env["INVOICES_URL"] ? false : "INVOICES_URL is not set" }, () => {
  test("the examples of the documentation run", async () => {
    const { stdout } = await run(process.execPath, [await program("../../docs/how-to/use-a-client.md")]);
    assert.match(stdout, /ACME GmbH 1190.5 EUR[^]*unsupported_file_type 415/);
    assert.match((await run(process.execPath, [await program("README.md")])).stdout, /ACME GmbH 1190.5 EUR/);
    const tagged = await listed(new Client().invoices.list({ status: "complete", paid: false }));
    assert.ok(tagged.some((each) => each.entity_tag === "north"));
  });

  test("an invoice through its life", async () => {
    const client = new Client();
    const document = { path: "samples/invoice.pdf", metadata: { po: "7" } };
    const options = { idempotencyKey: crypto.randomUUID() };
    const { id, amount, metadata } = await client.invoices.createAndWait(document, options);
    assert.deepEqual([amount, metadata], ["1190.5", { po: "7" }]);
    assert.equal((await client.invoices.create(document, options)).id, id);
    assert.ok((await client.invoices.update(id, { paid: true, entity_tag: "south" })).paid);
    const file = await readFile("samples/invoice.pdf");
    assert.deepEqual(Buffer.from(await (await client.invoices.download(id)).arrayBuffer()), file);
    await client.invoices.file(id, { to: "again.pdf" });
    assert.deepEqual(await readFile("again.pdf"), file);
    const { revision } = await client.invoices.review(id);
    await client.invoices.updateReview(id, { revision, fields: { amount: { value: "1190.51" } } });
    assert.equal((await client.invoices.retrieve(id)).amount, "1190.51");
    assert.match(new TextDecoder().decode(await client.invoices.einvoice(id)), /^</);
    const again = await client.invoices.extract(id, { force: true });
    assert.equal((await client.invoices.wait(again.id)).status, "complete");
    await client.invoices.delete(id);
    await assert.rejects(client.invoices.retrieve(id), (error) => error instanceof NotFoundError && error.code === "invoice_not_found");
  });

  test("everything else is answered", async () => {
    const client = new Client();
    assert.equal((await client.me()).key.scope, "full");
    await client.quality();
    assert.ok((await listed(client.vendors.list())).length);
    assert.ok((await listed(client.mails.list())).length);
    const [event] = await listed(client.events.list());
    assert.ok(event);
    assert.equal((await client.events.retrieve(event.id)).id, event.id);
    const endpoint = await client.webhookEndpoints.create({ url: "https://example.com/hooks" });
    assert.match(endpoint.secret, /^whsec_/);
    assert.notEqual((await client.webhookEndpoints.rotateSecret(endpoint.id)).secret, endpoint.secret);
    assert.equal((await client.webhookEndpoints.update(endpoint.id, { active: false })).active, false);
    assert.equal((await client.webhookEndpoints.retrieve(endpoint.id)).id, endpoint.id);
    await client.webhookEndpoints.delete(endpoint.id);
    assert.ok(!(await listed(client.webhookEndpoints.list())).some(({ id }) => id === endpoint.id));
    const response = await client.request("GET", "/v1/invoices", { params: { limit: 1 } });
    assert.equal(response.headers.get("content-type"), "application/json");
  });

  test("errors have their details", async () => {
    const { invoices } = new Client();
    await assert.rejects(invoices.create({ file: new Blob(["plain text"]) }), (error) => error instanceof InvalidRequestError && error.code === "unsupported_file_type");
    await assert.rejects(invoices.list({ limit: 0 }).pages().next(), (error) => error instanceof APIError && error.param === "limit" && !!error.requestId);
  });

  test("the command writes a table", async () => {
    const command = fileURLToPath(new URL("build/src/node/cli.js", PACKAGE));
    await writeFile("no.pdf", "plain text");
    const failed = run(process.execPath, [command, "send", "samples/invoice.pdf", "no.pdf", "--out", "results.csv"]);
    await assert.rejects(failed, { code: 1 });
    const [header, row, error] = (await readFile("results.csv", "utf8")).split("\r\n");
    assert.match(header ?? "", /^file,id,status,vendor_name,/);
    assert.match(row ?? "", /^samples\/invoice.pdf,[^,]+,complete,ACME GmbH,.*,1190.5,/);
    assert.match(error ?? "", /^no.pdf,.*unsupported_file_type: 415/);
  });
});
