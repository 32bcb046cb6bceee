// Downloads with progress, and says on the page if the file could not be finished. Without scripts the form downloads.

const form = document.getElementById("export");
const state = document.getElementById("export-state");
const tail = 2000;

function say(text, isBad = false) {
  state.textContent = text;
  state.className = isBad ? "problem" : "soft";
}

async function download(address) {
  const answer = await fetch(address);
  if (!answer.ok) {
    const told = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main p");
    throw new Error(told?.textContent ?? `The service answered with status ${answer.status}.`);
  }
  const name = /filename="?([^";]+)/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? "invoices";
  // Blobs are kept outside the page's memory.
  let file = new Blob();
  for await (const part of answer.body) {
    file = new Blob([file, part]);
    say(`${(file.size / 1e6).toFixed(1)} MB so far`);
  }
  return { file, name };
}

function save(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  say("On its way");
  try {
    const { file, name } = await download(`${form.action}?${new URLSearchParams(new FormData(form))}`);
    const end = await file.slice(-tail).text();
    // The last line of a CSV file, the comment at the end of a workbook.
    const lost = end.lastIndexOf(form.dataset.incomplete);
    save(file, name);
    if (lost >= 0) say(`The file is incomplete. It ends with: ${end.slice(lost).trim()}`, true);
    else say(`${name} is complete, ${(file.size / 1e6).toFixed(1)} MB.`);
  } catch (error) {
    say(`The download failed. ${error.message} Try again in a minute.`, true);
  } finally {
    button.disabled = false;
  }
});
