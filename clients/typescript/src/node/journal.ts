/** The journal of an interrupted run as a file. */

import { link, open, readFile, rename, rm, type FileHandle } from "node:fs/promises";
import { hostname } from "node:os";
import { InvoicesError } from "../errors.js";
import { Journal, type Step } from "../journal.js";

/** Another run writes the journal. */
export class JournalInUseError extends InvoicesError {}

/** One line for each step of a document, written to the disk before the next step. */
export class FileJournal extends Journal {
  private written: Promise<void> = Promise.resolve();

  private constructor(
    private readonly file: FileHandle,
    private readonly lock: string,
  ) {
    super();
  }

  /** The journal at a path, for this run only. A last line that was not written to its end is dropped: its step did not begin. */
  static async open(path: string): Promise<FileJournal> {
    const lock = `${path}.lock`;
    await acquire(lock);
    try {
      const file = await open(path, "a+");
      const journal = new FileJournal(file, lock);
      const bytes = await readFile(path);
      const end = bytes.lastIndexOf("\n") + 1;
      await file.truncate(end);
      for (const line of bytes.subarray(0, end).toString().split("\n")) {
        if (line) journal.apply(JSON.parse(line) as Step);
      }
      return journal;
    } catch (error) {
      await release(lock);
      throw error;
    }
  }

  protected override keep(step: Step): Promise<void> {
    this.written = this.written.then(async () => {
      await this.file.appendFile(`${JSON.stringify(step)}\n`);
      await this.file.sync();
    });
    return this.written;
  }

  override async close(): Promise<void> {
    await this.written.catch(() => undefined);
    await this.file.close();
    await release(this.lock);
  }
}

const held = new Set<string>();

/** Node has no locks that end with a program, so the file names the one that holds it. */
async function acquire(lock: string): Promise<void> {
  const mine = `${lock}.${crypto.randomUUID()}`;
  const file = await open(mine, "wx");
  try {
    await file.writeFile(JSON.stringify({ pid: process.pid, host: hostname() }));
    if (!(await isLinked(mine, lock))) {
      await removeAbandoned(lock);
      if (!(await isLinked(mine, lock))) throw inUse(lock);
    }
    held.add(lock);
  } finally {
    await file.close();
    await rm(mine, { force: true });
  }
}

async function isLinked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Remove the lock of a run that was killed; puts back the one of a run that was quicker. */
async function removeAbandoned(lock: string): Promise<void> {
  if (await isLive(lock, lock)) throw inUse(lock);
  const aside = `${lock}.${crypto.randomUUID()}`;
  await rename(lock, aside);
  if (await isLive(aside, lock)) await isLinked(aside, lock);
  await rm(aside);
}

async function isLive(file: string, lock: string): Promise<boolean> {
  const { pid, host } = JSON.parse(await readFile(file, "utf8")) as { pid: number; host: string };
  if (host !== hostname()) return true;
  if (pid === process.pid) return held.has(lock);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function release(lock: string): Promise<void> {
  held.delete(lock);
  await rm(lock, { force: true });
}

function inUse(lock: string): JournalInUseError {
  return new JournalInUseError(`another run has this journal; if none is left, delete ${lock}`);
}
