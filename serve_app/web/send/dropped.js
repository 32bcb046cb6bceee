// The files of a drop, those in its folders included.

const MOST_FILES = 500;
const JUNK = /^(?:\..*|~\$.*|Thumbs\.db|desktop\.ini|__MACOSX)$/i;

const fileOf = (entry) => new Promise((resolve, reject) => entry.file(resolve, reject));
const somePagesOf = (reader) => new Promise((resolve, reject) => reader.readEntries(resolve, reject));

/** Adds the files of a folder, and of the folders in it, to `files`. */
async function walk(entry, files) {
  if (JUNK.test(entry.name) || files.length > MOST_FILES) return;
  if (entry.isFile) {
    files.push(await fileOf(entry));
    return;
  }
  const reader = entry.createReader();
  // A browser hands over a folder in several pages, the last of which is empty.
  for (let page = await somePagesOf(reader); page.length > 0; page = await somePagesOf(reader)) {
    for (const inside of page) await walk(inside, files);
  }
}

/** The dropped files, and whether there were more than are sent at once. To be called while the event is handled. */
export async function droppedFiles(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.some((entry) => entry.isDirectory)) return { files: [...transfer.files], areMore: false };
  const files = [];
  for (const entry of entries) await walk(entry, files);
  return { files: files.slice(0, MOST_FILES), areMore: files.length > MOST_FILES };
}
