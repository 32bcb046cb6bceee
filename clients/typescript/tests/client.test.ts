import assert from "node:assert/strict";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { parse } from "../src/call.js";
import { Client as WebClient } from "../src/index.js";
import { Client, type Invoice, WaitTimeoutError } from "../src/node/index.js";
import { RateLimit } from "../src/rate-limit.js";
import { answer, INVOICE, KEY, listed, LIMIT, Service } from "./support.js";

test("exact numbers keep every digit, others are numbers", () => {
  const read = parse<Invoice>(INVOICE);
  assert.deepEqual([read.amount, read.quality_score, read.file.size_bytes], ["1234567890123456.10", 0.5, 4]);
});

test("texts that look like exact numbers stay as they are", () => {
  const text = String.raw`{"a": "\"amount\": 1", "amount": null, "x": ["amount", 2.50], "metadata": {"tax": "1.0"}, "total":-1e2}`;
  assert.deepEqual(parse(text), { a: '"amount": 1', amount: null, x: ["amount", 2.5], metadata: { tax: "1.0" }, total: "-1e2" });
});

test("what is new is kept", () => {
  const read = parse<Invoice>(INVOICE.replace('"complete"', '"archived", "cost_centre": {"id": 7}'));
  assert.deepEqual([read.status, Reflect.get(read, "cost_centre")], ["archived", { id: 7 }]);
});

test("a list requests each page when it is needed", async () => {
  const pages = [["1", "2"], ["3"]].map((ids, index) => answer({ data: ids.map((id) => ({ id })), has_more: index === 0 }));
  const service = new Service(pages);
  const invoices = service.client().invoices.list({ status: "complete", paid: false, ids: ["1", "2", "3"] });
  assert.equal(service.requests.length, 0);
  assert.deepEqual((await listed(invoices)).map((each) => each.id), ["1", "2", "3"]);
  assert.deepEqual(service.requests.map((request) => new URL(request.url).search), [
    "?status=complete&paid=false&ids=1%2C2%2C3",
    "?status=complete&paid=false&ids=1%2C2%2C3&starting_after=2",
  ]);
});

test("a list by time of change continues from that time", async () => {
  const at = "2026-05-17T12:00:01.000000Z";
  const service = new Service([answer({ data: [{ id: "1", updated_at: at }], has_more: true }), answer({ data: [], has_more: false })]);
  await listed(service.client().invoices.list({ sort: "updated_at", updated_after: new Date(0) }));
  const [first, second] = service.requests.map((request) => new URL(request.url).searchParams);
  assert.deepEqual([first?.get("updated_after"), second?.get("updated_after")], ["1970-01-01T00:00:00.000Z", at]);
});

test("a document is a file, a stream, a path, a URL or base64", async () => {
  const path = join(await mkdtemp(join(tmpdir(), "client-")), "a b.pdf");
  await writeFile(path, "%PDF");
  const service = new Service([answer(INVOICE)]);
  const { invoices } = service.client();
  const documents = [
    { file: new File(["%PDF"], "a.pdf"), metadata: { po: "7" } },
    { file: new Blob(["%PDF"]).stream(), file_name: "s.pdf" },
    { file: new TextEncoder().encode("%PDF") },
    { path },
    { path: new URL(`file://${encodeURI(path)}`) },
  ];
  for (const document of documents) await invoices.create(document);
  const forms = await Promise.all(service.requests.map((request) => request.clone().formData()));
  const names = forms.map((form) => (form.get("file") as File).name);
  assert.deepEqual(names, ["a.pdf", "s.pdf", "document", "a b.pdf", "a b.pdf"]);
  assert.equal(forms[0]?.get("metadata"), '{"po":"7"}');
  await invoices.create({ url: "https://example.com/a.pdf", wait: true });
  await invoices.create({ base64: "JVBERg==", file_name: "b.pdf" });
  const [byUrl, byBase64] = service.requests.slice(5);
  assert.deepEqual(await byUrl?.json(), { file_url: "https://example.com/a.pdf" });
  assert.match(byUrl?.url ?? "", /\?wait=true$/);
  assert.deepEqual(await byBase64?.json(), { file_base64: "JVBERg==", file_name: "b.pdf" });
  await assert.rejects(invoices.create({ path, url: "https://example.com" }), TypeError);
  await assert.rejects(invoices.create({}), TypeError);
});

test("an unfinished invoice is asked for until the deadline", async () => {
  const waiting = answer(INVOICE.replace('"complete"', '"processing"'));
  const service = new Service([waiting, waiting, answer(INVOICE)]);
  const document = { file: new Blob(["%PDF"]) };
  assert.equal((await service.client().invoices.createAndWait(document, { pollInterval: 1 })).status, "complete");
  assert.deepEqual(service.requests.map((request) => request.method), ["POST", "GET", "GET"]);
  const late = new Service([waiting]).client().invoices.createAndWait(document, { pollInterval: 1, waitTimeout: 5 });
  await assert.rejects(late, (error) => error instanceof WaitTimeoutError && error.invoice.status === "processing");
});

test("a download is sent without the key", async () => {
  const link = answer({ url: "http://elsewhere/v1/files/token", expires_at: "2026-05-17T13:00:00Z" });
  const service = new Service([link, answer("%PDF")]);
  const to = join(await mkdtemp(join(tmpdir(), "client-")), "a.pdf");
  await service.client().invoices.file("1", { to });
  assert.equal(await readFile(to, "utf8"), "%PDF");
  assert.deepEqual(service.requests.map((request) => request.headers.get("Authorization")), [`Bearer ${KEY}`, null]);
});

test("the environment names the service", () => {
  delete process.env["INVOICES_API_KEY"];
  assert.throws(() => new Client(), /INVOICES_API_KEY/);
});

test("a browser gets no key", async () => {
  Object.assign(globalThis, { window: {}, document: {} });
  try {
    assert.throws(() => new WebClient({ apiKey: KEY }), /public/);
    const service = new Service([answer(INVOICE)]);
    await new WebClient({ apiKey: null, url: "http://own/proxy/", fetch: service.fetch }).invoices.retrieve("1");
    assert.deepEqual([service.requests[0]?.url, service.requests[0]?.headers.get("Authorization")], ["http://own/proxy/v1/invoices/1", null]);
  } finally {
    for (const name of ["window", "document"]) Reflect.deleteProperty(globalThis, name);
  }
});

describe("the rate limit", () => {
  const headers = (remaining: number, reset: number): Headers =>
    new Headers({
      "X-RateLimit-Limit": "3",
      "X-RateLimit-Remaining": `${remaining}`,
      "X-RateLimit-Reset": `${reset}`,
      Date: "Sun, 17 May 2026 12:00:00 GMT",
    });

  test("calls wait for the next window", () => {
    let now = 0;
    const noon = 1_779_019_200;
    const limit = new RateLimit(() => now);
    assert.equal(limit.reserve(), 0);
    limit.note(headers(2, noon + 10));
    assert.deepEqual([limit.reserve(), limit.reserve(), limit.reserve()], [0, 0, 10_000]);
    // An answer that was overtaken counts nothing back.
    limit.note(headers(1, noon + 10));
    now = 4_000;
    assert.equal(limit.reserve(), 6_000);
    now = 10_000;
    assert.equal(limit.reserve(), 0);
  });

  test("createMany waits instead of running into it", async () => {
    const service = new Service([new Response(INVOICE, { headers: headers(0, 1_779_019_201) })]);
    const began = performance.now();
    await listed(service.client().invoices.createMany([new Blob(["a"]), new Blob(["b"])], { concurrency: 1 }));
    assert.ok(performance.now() - began > 900);
  });

  test("a service without a limit is not waited for", () => {
    const limit = new RateLimit();
    limit.note(LIMIT.headers);
    assert.equal(limit.reserve(), 0);
  });
});
