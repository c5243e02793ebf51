// How does the page ask the server? With the token it was given, and with the server's own words when something is wrong.
import { find, fill, h } from "./dom.js";
import { keep, kept } from "./keeping.js";

// Kept until the tab is closed, and here for browsers that keep nothing.
let token = kept("token", "sessionStorage");

export class Problem extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

export function headers() {
  return token ? { Authorization: `Bearer ${token}` } : {};
}

// The JSON at an address. Parameters are pairs, so that a name may come twice.
export async function ask(path, pairs = [], signal = undefined) {
  const query = new URLSearchParams(pairs).toString();
  const answer = await reach(query ? `${path}?${query}` : path, signal);
  if (answer.status === 401) {
    await askForToken(token !== null);
    return ask(path, pairs, signal);
  }
  if (!answer.ok) throw new Problem(answer.status, await detailOf(answer));
  return answer.json();
}

async function reach(address, signal) {
  try {
    return await fetch(address, { headers: headers(), signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, "The server does not answer. Is dowse serve still running?");
  }
}

async function detailOf(answer) {
  try {
    const told = await answer.json();
    return told.detail || told.title || answer.statusText;
  } catch {
    return `The server answered ${answer.status} ${answer.statusText}.`;
  }
}

let asking = null;

// One dialog, however many answers wait for it.
function askForToken(wasWrong) {
  asking ??= new Promise((resolve) => {
    const dialog = find("token");
    const field = h("input", { type: "password", id: "token-field", autocomplete: "off", required: true });
    const form = h(
      "form",
      {
        submit: (event) => {
          event.preventDefault();
          dialog.close();
          token = field.value.trim();
          keep("token", token, "sessionStorage");
          asking = null;
          resolve();
        },
      },
      h("h2", { text: "This workspace asks for a token" }),
      h("p", {
        text: wasWrong
          ? "The token was not accepted. Try another one."
          : "Make one with dowse token add, on the machine that serves it.",
      }),
      h("label", { for: "token-field", text: "Token" }),
      field,
      h("p", { class: "quiet", text: "Kept until this tab is closed." }),
      h("button", { class: "main", text: "Use it" }),
    );
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    fill(dialog, form);
    dialog.showModal();
  });
  return asking;
}
