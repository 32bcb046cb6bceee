// The command palette: Ctrl+K, type, arrows, Enter.

const palette = document.getElementById("palette");
const input = palette?.querySelector("input");
const list = palette?.querySelector("ul");
let chosen = -1;
let asked = null;

function choose(place) {
  const options = [...list.children];
  if (options.length === 0) return;
  chosen = (place + options.length) % options.length;
  options.forEach((option, number) => option.setAttribute("aria-selected", String(number === chosen)));
  options[chosen].scrollIntoView({ block: "nearest" });
  input.setAttribute("aria-activedescendant", options[chosen].id);
}

function optionFor(result, number) {
  const option = document.createElement("li");
  option.id = `found-${number}`;
  option.setAttribute("role", "option");
  option.dataset.path = result.path;
  for (const [name, text] of [["kind", result.kind], ["name", result.name], ["note", result.note]]) {
    const part = document.createElement("span");
    part.className = `found-${name}`;
    part.textContent = text;
    option.append(part);
  }
  return option;
}

async function find() {
  asked?.abort();
  asked = new AbortController();
  try {
    const answer = await fetch(`/app/find?q=${encodeURIComponent(input.value)}`, { signal: asked.signal });
    if (!answer.ok) return;
    const { results } = await answer.json();
    list.replaceChildren(...results.map(optionFor));
    input.setAttribute("aria-expanded", String(results.length > 0));
    palette.querySelector("[data-none]").hidden = results.length > 0;
    chosen = -1;
    choose(0);
  } catch (error) {
    if (error.name !== "AbortError") throw error;
  }
}

function go(option) {
  if (option) location.assign(option.dataset.path);
}

function open() {
  if (palette.open) return;
  input.value = "";
  palette.showModal();
  find();
}

let typed = 0;
if (palette) {
  for (const button of document.querySelectorAll('[data-opens="palette"]')) {
    button.hidden = false;
    button.addEventListener("click", open);
  }
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      open();
    }
  });
  input.addEventListener("input", () => {
    clearTimeout(typed);
    typed = setTimeout(find, 120);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen - 1);
    else if (event.key === "Enter") go(list.children[chosen]);
    else return;
    event.preventDefault();
  });
  list.addEventListener("click", (event) => go(event.target.closest("[role=option]")));
  palette.addEventListener("click", (event) => {
    if (event.target === palette) palette.close();
  });
}
