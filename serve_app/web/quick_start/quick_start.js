// Sends the sample with the key just made, as a program would. The answer appears by the page's own polling.

const button = document.querySelector("[data-run]");
const state = document.querySelector("[data-run-state]");

async function run(key) {
  const sample = await fetch("/app/quick-start/sample.pdf");
  if (!sample.ok) throw new Error("This service has no sample file. Send one of your own documents.");
  const form = new FormData();
  form.append("file", await sample.blob(), "sample.pdf");
  const headers = { Authorization: `Bearer ${key}` };
  const answer = await fetch("/v1/invoices", { method: "POST", headers, body: form, credentials: "omit" });
  if (!answer.ok) throw new Error((await answer.json()).error.message);
}

if (button) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    state.textContent = "Sent. See below.";
    try {
      await run(button.dataset.run);
    } catch (error) {
      state.textContent = error.message;
    } finally {
      button.disabled = false;
    }
  });
}
