import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  APIConnectionError,
  APIError,
  APITimeoutError,
  AuthenticationError,
  QuotaExceededError,
  RateLimitError,
  ServiceError,
} from "../src/index.js";
import { Retries } from "../src/retries.js";
import { DONE, FAULT, IN_FLIGHT, KEY, LIMIT, LOST, NEVER_SENT, QUOTA, refusal, Service, SLOW, type Step } from "./support.js";

const PDF = { file: new Blob(["%PDF"]) };

for (const [name, first] of Object.entries({ LIMIT, FAULT, IN_FLIGHT, SLOW, LOST, NEVER_SENT })) {
  test(`a create is repeated with one key: ${name}`, async () => {
    const service = new Service([first, first, QUOTA]);
    await assert.rejects(service.client({ backoff: 0 }).invoices.create(PDF), QuotaExceededError);
    assert.equal(service.requests.length, 3);
    assert.equal(new Set(service.requests.map((request) => request.headers.get("Idempotency-Key"))).size, 1);
    const bodies = await Promise.all(service.requests.map(async (request) => (await request.formData()).get("file")));
    assert.deepEqual(await Promise.all(bodies.map(async (file) => (file as File).text())), ["%PDF", "%PDF", "%PDF"]);
  });
}

const ENDS: [Step, new (...args: never[]) => Error][] = [[LIMIT, RateLimitError], [FAULT, ServiceError], [LOST, APIConnectionError]];
for (const [answer, error] of ENDS) {
  test(`retries end: ${error.name}`, async () => {
    const service = new Service([answer]);
    await assert.rejects(service.client().me(), error);
    assert.equal(service.requests.length, 3);
    await assert.rejects(service.client().withOptions({ maxRetries: 0 }).me(), error);
    assert.equal(service.requests.length, 4);
    await assert.rejects(service.client().me({ maxRetries: 1 }), error);
    assert.equal(service.requests.length, 6);
  });
}

for (const [answer, type] of [[QUOTA, QuotaExceededError], [refusal(401, "authentication_error", "invalid_api_key"), AuthenticationError]] as const) {
  test(`what does not change is not repeated: ${type.name}`, async () => {
    const service = new Service([answer]);
    await assert.rejects(service.client().invoices.create(PDF), (error) => error instanceof type && error.requestId === "r1");
    assert.equal(service.requests.length, 1);
  });
}

for (const [name, first, calls] of [["FAULT", FAULT, 1], ["LOST", LOST, 1], ["NEVER_SENT", NEVER_SENT, 2], ["LIMIT", LIMIT, 2], ["SLOW", SLOW, 2]] as const) {
  test(`a call without a key is repeated only if nothing was done: ${name}`, async () => {
    const service = new Service([first, QUOTA]);
    await assert.rejects(service.client().invoices.extract("1", { force: true }));
    assert.equal(service.requests.length, calls);
  });
}

test("an id cannot leave its place in the path", async () => {
  const service = new Service([DONE]);
  await service.client().invoices.delete("a/../b?c");
  assert.equal(service.requests[0]?.url, "http://service/v1/invoices/a%2F..%2Fb%3Fc");
});

test("a proxy's answer is an error too", async () => {
  const service = new Service([new Response("<html>Bad Gateway</html>", { status: 502 })]);
  await assert.rejects(service.client().me(), (error) => error instanceof APIError && error.status === 502 && error.code === "");
});

test("a late answer is an error of its own", async () => {
  const never: typeof fetch = (_, init) =>
    new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
  await assert.rejects(new Service([]).client({ fetch: never, timeout: 5, maxRetries: 1 }).me(), APITimeoutError);
});

test("a signal ends a call and its retries", async () => {
  const ending = new AbortController();
  const service = new Service([FAULT]);
  const call = service.client({ backoff: 60_000, maxRetries: 9 }).me({ signal: ending.signal });
  setTimeout(() => ending.abort(new Error("the user has left")), 5);
  await assert.rejects(call, /the user has left/);
  await assert.rejects(service.client().me({ signal: AbortSignal.abort() }), { name: "AbortError" });
  assert.equal(service.requests.length, 1);
});

test("logs have no key, document or link", async () => {
  const lines: string[] = [];
  const logger = { debug: (line: string) => lines.push(line), info: (line: string) => lines.push(line) };
  const client = new Service([LIMIT, DONE]).client({ logger });
  await client.invoices.delete("7");
  await client.request("GET", "/v1/files/token-of-a-link", { params: { vendor: "acme" } });
  const text = lines.join("\n");
  assert.match(text, /DELETE \/v1\/invoices\/7 is repeated[^]*204/);
  for (const secret of [KEY, "token-of-a-link", "acme"]) assert.ok(!text.includes(secret));
});

describe("pauses", () => {
  const of = (answer: Response): APIError => new APIError(answer, {});

  test("they grow", () => {
    const retries = new Retries({ maxRetries: 9, backoff: 500 }, true);
    for (let attempt = 0; attempt < 9; attempt++) {
      const bound = Math.min(500 * 2 ** attempt, 8_000);
      const pause = retries.pause(of(FAULT)) ?? 0;
      assert.ok(bound / 2 <= pause && pause <= bound);
    }
    assert.equal(retries.pause(of(FAULT)), undefined);
  });

  for (const [asked, least, longest] of [["17", 17_000, 17_000], ["120", 120_000, 120_000], ["soon", 250, 500]] as const) {
    test(`they are as long as the service asks: ${asked}`, () => {
      const retries = new Retries({ maxRetries: 9, backoff: 500 }, true);
      const pause = retries.pause(of(refusal(429, "rate_limit_error", "rate_limited", asked))) ?? 0;
      assert.ok(least <= pause && pause <= longest);
    });
  }

  test("a day is too long", () => {
    const retries = new Retries({ maxRetries: 9, backoff: 500 }, true);
    assert.equal(retries.pause(of(refusal(429, "rate_limit_error", "rate_limited", "121"))), undefined);
  });

  test("a held key is waited for beyond the retries", () => {
    const retries = new Retries({ maxRetries: 9, backoff: 500 }, true);
    const held = new APIError(refusal(409, "api_error", "idempotency_in_flight", "5"), { code: "idempotency_in_flight" });
    for (let time = 0; time < 30; time++) assert.equal(retries.pause(held), 5_000);
    assert.equal(retries.pause(held), undefined);
    assert.notEqual(retries.pause(of(FAULT)), undefined);
  });
});
