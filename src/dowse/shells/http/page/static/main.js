// What does the page do? Puts its parts together: what is typed becomes the state, and the state becomes what is seen.
import { find, fill, toast } from "./dom.js";
import { icon } from "./icons.js";
import { keep } from "./keeping.js";
import { listenToKeys } from "./keys.js";
import { listen } from "./live.js";
import { showPreview } from "./preview.js";
import { found, more, search, searchAgain, searchSoon } from "./searching.js";
import { change, onChange, state } from "./state.js";
import { showJobs, showPulse, showStatus } from "./status.js";
import { showWelcome } from "./welcome.js";

const THEMES = ["auto", "light", "dark"];
const THEME_ICONS = { auto: "auto", light: "sun", dark: "moon" };

function show(now, before) {
  const query = find("query");
  if (query.value !== now.query) query.value = now.query;
  find("clear").hidden = !now.query;
  document.title = now.query ? `${now.query} – dowse` : now.status ? "Status – dowse" : "dowse";
  document.body.dataset.mode = now.query ? "results" : now.status ? "status" : "welcome";
  const asked =
    before === null || now.query !== before.query || String(now.filters) !== String(before.filters) || now.status !== before.status;
  if (asked) showList(now, before);
  if (before === null || now.open !== before.open || now.view !== before.view) showPreview(!before?.open);
}

function showList(now, before) {
  if (now.query) {
    find("welcome").hidden = true;
    if (before !== null && now.query !== before.query && document.activeElement === find("query")) searchSoon();
    else search();
    return;
  }
  search();
  if (now.status) showStatus();
  else showWelcome();
}

function listenToField() {
  const query = find("query");
  query.addEventListener("input", () => change({ query: query.value, status: false }, "typing"));
  find("ask").addEventListener("submit", (event) => event.preventDefault());
  find("clear").addEventListener("click", () => (change({ query: "", filters: [], open: "" }), query.focus()));
  find("more").addEventListener("click", more);
  find("pulse").addEventListener("click", () => change({ status: true, query: "", filters: [], open: "" }));
  document.querySelector(".brand").addEventListener("click", (event) => {
    event.preventDefault();
    change({ status: false, query: "", filters: [], open: "" });
  });
  if (!state.query && !state.open) query.focus();
}

function offerThemes() {
  const button = find("theme");
  const showTheme = () => {
    const theme = document.documentElement.dataset.theme ?? "auto";
    fill(button, icon(THEME_ICONS[theme]));
    button.setAttribute("aria-label", `Colours: ${theme}`);
    button.title = `Colours: ${theme}`;
  };
  button.addEventListener("click", () => {
    const root = document.documentElement;
    const next = THEMES[(THEMES.indexOf(root.dataset.theme ?? "auto") + 1) % THEMES.length];
    if (next === "auto") delete root.dataset.theme;
    else root.dataset.theme = next;
    keep("theme", next);
    showTheme();
  });
  showTheme();
}

// A writer may commit many times a second; readers are shown it at once, and then not more often than this.
const CALM = 1500;
let calm = 0;
let later;

function refreshSoon(generation, isFirst) {
  // What was shown before anyone listened may be old already.
  if (isFirst && (found.answer === null || found.answer.generation === generation)) return;
  clearTimeout(later);
  later = setTimeout(refresh, Math.max(0, calm - Date.now()));
}

function refresh() {
  calm = Date.now() + CALM;
  showPulse();
  if (state.status) showStatus();
  else if (!state.query) showWelcome();
  else {
    searchAgain();
    toast("The index changed: refreshed");
  }
}

onChange(show);
offerThemes();
listenToKeys();
listenToField();
show(state, null);
showPulse();
listen(refreshSoon, showJobs);
