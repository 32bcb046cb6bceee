import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFile, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { JournalInUseError, QuotaExceededError, UnconfirmedError } from "../src/node/index.js";
import { FileJournal } from "../src/node/journal.js";
import { mapConcurrently } from "../src/timing.js";
import { answer, INVOICE, listed, LOST, QUOTA, Service, type Step } from "./support.js";

async function folder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "client-"));
}

async function documents(count: number): Promise<{ paths: string[]; journal: string }> {
  const place = await folder();
  const paths = Array.from({ length: count }, (_, number) => join(place, `${number}.pdf`));
  for (const path of paths) await writeFile(path, `%PDF ${path}`);
  return { paths, journal: join(place, "journal") };
}

test("a finished run sends nothing again", async () => {
  const { paths, journal } = await documents(3);
  const service = new Service([answer(INVOICE)]);
  const seen: string[] = [];
  const progress = (result: { document: string }): number => seen.push(result.document);
  await listed(service.client().invoices.createMany(paths, { journal, progress }));
  assert.deepEqual(seen.sort(), paths);
  const again = await listed(service.client().invoices.createMany(paths, { journal }));
  assert.equal(service.requests.length, 3);
  assert.deepEqual(again.map((each) => each.invoice?.amount), Array(3).fill("1234567890123456.10"));
  await writeFile(paths[0] ?? "", "%PDF corrected");
  await listed(service.client().invoices.createMany(paths.slice(0, 1), { journal }));
  assert.equal(service.requests.length, 4);
});

test("each document has a result, also if it cannot be read", async () => {
  const { paths } = await documents(1);
  const results = await listed(new Service([answer(INVOICE)]).client().invoices.createMany([...paths, "/no/such.pdf"]));
  const errors = new Map(results.map((each) => [each.document, each.error]));
  assert.equal(errors.get(paths[0] ?? ""), undefined);
  assert.match(errors.get("/no/such.pdf")?.message ?? "", /ENOENT/);
});

test("an unanswered call of yesterday is not repeated", async () => {
  const { paths, journal } = await documents(1);
  const service = new Service([LOST]);
  await listed(service.client({ maxRetries: 0 }).invoices.createMany(paths, { journal, waitTimeout: 1 }));
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  await writeFile(journal, (await readFile(journal, "utf8")).replace(/"sent_at":"[^"]*"/, `"sent_at":"${yesterday}"`));
  const asked = service.requests.length;
  const [result] = await listed(service.client().invoices.createMany(paths, { journal }));
  assert.ok(result?.error instanceof UnconfirmedError);
  assert.equal(service.requests.length, asked);
});

for (const [name, steps, isKept] of [["a refusal", [QUOTA], false], ["a lost answer", [LOST, QUOTA], true]] as [string, Step[], boolean][]) {
  test(`a refusal frees the document unless an answer was lost: ${name}`, async () => {
    const { paths, journal } = await documents(1);
    const [result] = await listed(new Service(steps).client().invoices.createMany(paths, { journal }));
    assert.ok(result?.error instanceof QuotaExceededError);
    assert.equal(result.error.isUncertain, isKept);
    const steps_of = (await readFile(journal, "utf8")).trim().split("\n").map((line) => Object.keys(JSON.parse(line) as object)[1]);
    assert.deepEqual(steps_of, isKept ? ["key"] : ["key", "refused"]);
  });
}

test("an interrupted run repeats its calls with their keys", async () => {
  const { paths, journal } = await documents(1);
  const ending = new AbortController();
  const silent = new Service([]);
  const run = silent.client({
    fetch: async (input, init) => {
      silent.requests.push(new Request(input, { ...init, signal: null }));
      return new Promise((_, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
        ending.abort(new Error("stop"));
      });
    },
  });
  await assert.rejects(listed(run.invoices.createMany(paths, { journal, signal: ending.signal })), /stop/);
  const service = new Service([answer(INVOICE)]);
  await listed(service.client().invoices.createMany(paths, { journal }));
  const keys = [...silent.requests, ...service.requests].map((request) => request.headers.get("Idempotency-Key"));
  assert.deepEqual([keys.length, new Set(keys).size], [2, 1]);
});

describe("the journal", () => {
  test("a torn last line is dropped", async () => {
    const { journal } = await documents(0);
    await appendFile(journal, '{"document": "a", "key": "k", "sent_at": "2026-05-17T12:00:00Z"}\n{"docu');
    await (await FileJournal.open(journal)).close();
    assert.match(await readFile(journal, "utf8"), /\}\n$/);
  });

  test("two runs do not share one", async () => {
    const { journal } = await documents(0);
    const first = await FileJournal.open(journal);
    await assert.rejects(FileJournal.open(journal), JournalInUseError);
    await first.close();
    await (await FileJournal.open(journal)).close();
  });

  test("a run that was killed holds it no longer", async () => {
    const { journal } = await documents(0);
    const { pid } = spawnSync(process.execPath, ["--version"]);
    await writeFile(`${journal}.lock`, JSON.stringify({ pid, host: hostname() }));
    const opened = await Promise.allSettled([FileJournal.open(journal), FileJournal.open(journal)]);
    assert.deepEqual(opened.map((each) => each.status).sort(), ["fulfilled", "rejected"]);
    for (const each of opened) if (each.status === "fulfilled") await each.value.close();
  });
});

describe("pieces of work", () => {
  test("at most some run at a time, and all end", async () => {
    let running = 0;
    let most = 0;
    const work = async (item: number): Promise<number> => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, item % 3));
      running -= 1;
      return item;
    };
    const items = Array.from({ length: 20 }, (_, item) => item);
    const results = await listed(mapConcurrently(items, 4, undefined, work));
    assert.deepEqual(results.sort((one, other) => one - other), items);
    assert.equal(most, 4);
  });

  test("a slow source holds up no result", async () => {
    let release = (): void => {};
    async function* source(): AsyncGenerator<number> {
      yield 1;
      await new Promise<void>((resolve) => (release = resolve));
      yield 2;
    }
    const results = [];
    for await (const result of mapConcurrently(source(), 8, undefined, async (item) => item)) {
      results.push(result);
      release();
    }
    assert.deepEqual(results, [1, 2]);
  });

  test("leaving aborts what still runs", async () => {
    const signals: AbortSignal[] = [];
    const work = async (item: number, signal: AbortSignal): Promise<number> => {
      signals.push(signal);
      return item ? new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))) : item;
    };
    for await (const _ of mapConcurrently([0, 1, 2], 3, undefined, work)) break;
    assert.ok(signals.every((signal) => signal.aborted));
  });
});
