// Takes the token from behind the `#`, where no request and no log has it, and out of the history.

document.querySelector("[data-without-script]").remove();
const form = document.querySelector("[data-enter]");

function takeToken() {
  const token = location.hash.slice(1);
  if (!token) return;
  history.replaceState(null, "", location.pathname);
  form.elements.token.value = token;
  form.hidden = false;
  document.querySelector("[data-no-token]").hidden = true;
  form.querySelector("button").focus();
}

takeToken();
// A second link that is pasted into the same tab loads no new page.
addEventListener("hashchange", takeToken);
