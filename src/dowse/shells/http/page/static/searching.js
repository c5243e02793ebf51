// What was found? Asks as someone types, drops answers nobody waits for any more, and shows the list.
import { ask } from "./asking.js";
import { fill, find, h, made, parts } from "./dom.js";
import { showFilters } from "./filters.js";
import { kindIcon } from "./icons.js";
import { change, state } from "./state.js";
import { ago, duration, many, sort, where } from "./words.js";

// Long enough for the next key of a quick typist, too short to be felt.
const PAUSE = 60;

// ``ready`` is kept when the list is that of the query.
export const found = { hits: [], at: -1, answer: null, ready: Promise.resolve() };
let waiting;
let controller = new AbortController();

export function searchSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(search, PAUSE);
}

export function search() {
  found.ready = run();
  return found.ready;
}

async function run() {
  clearTimeout(waiting);
  controller.abort();
  controller = new AbortController();
  if (!state.query.trim()) return clear();
  const { signal } = controller;
  find("main").setAttribute("aria-busy", "true");
  try {
    const answer = await ask("/page/search", [["q", state.query], ...state.filters], signal);
    if (!signal.aborted) show(answer);
  } catch (error) {
    if (error.name !== "AbortError") refuse(error);
  } finally {
    if (!signal.aborted) find("main").removeAttribute("aria-busy");
  }
}

// The same search on the index as it is now; whoever reads stays where they are.
export async function searchAgain() {
  const key = found.hits[found.at]?.key;
  await search();
  select(
    found.hits.findIndex((hit) => hit.key === key),
    false,
  );
}

export async function more() {
  const { signal } = controller;
  const answer = await ask("/page/search", [["q", state.query], ...state.filters, ["offset", found.answer.nextOffset]], signal);
  if (signal.aborted) return;
  const first = found.hits.length;
  found.hits.push(...answer.hits);
  found.answer = { ...found.answer, nextOffset: answer.nextOffset };
  find("hits").append(...answer.hits.map((hit, number) => row(hit, first + number)));
  const wasThere = document.activeElement === find("more");
  find("more").hidden = answer.nextOffset === null;
  if (wasThere) select(first, false);
  if (wasThere) find("hits").focus();
}

function clear() {
  Object.assign(found, { hits: [], at: -1, answer: null });
  for (const id of ["hits", "more", "said", "tabs", "facets", "chips"]) find(id).hidden = true;
  find("query").setAttribute("aria-expanded", "false");
  find("query").removeAttribute("aria-activedescendant");
  find("live").textContent = "";
}

function show(answer) {
  Object.assign(found, { hits: answer.hits, at: -1, answer });
  fill(find("hits"), answer.hits.map(row));
  find("hits").hidden = !answer.hits.length;
  find("more").hidden = answer.nextOffset === null;
  find("query").setAttribute("aria-expanded", String(answer.hits.length > 0));
  say(answer);
  showFilters(answer.counts);
  const opened = answer.hits.findIndex((hit) => hit.key === state.open);
  select(Math.max(0, opened), false);
  if (opened > 0) document.getElementById(`hit-${opened}`).scrollIntoView({ block: "nearest" });
}

function refuse(error) {
  fill(find("said"), h("span", { class: "wrong", text: error.message }));
  find("said").hidden = false;
  find("live").textContent = error.message;
}

function say(answer) {
  const notes = [];
  for (const [typed, meant] of Object.entries(answer.corrected))
    notes.push(`“${typed}” stands nowhere, so “${meant}” was looked for`);
  if (answer.relaxed) notes.push("few hold every word, so records with most of them follow");
  if (answer.ignored.length) notes.push(`left out: ${answer.ignored.join(", ")}`);
  if (answer.truncated) notes.push("more may match than were looked at");
  notes.push(...answer.degraded);
  const total = many(answer.total, "result");
  fill(
    find("said"),
    h("b", { text: total }),
    h("span", { text: duration(answer.took) }),
    notes.length > 0 && h("p", { class: "notes", text: notes.join(" · ") }),
  );
  find("said").hidden = false;
  find("live").textContent = total;
  if (!answer.total)
    find("said").append(
      h("p", {
        class: "none",
        text: "Nothing here holds these words or means something close. Try fewer or other words, or take a filter away.",
      }),
    );
}

function row(hit, index) {
  const place = [hit.space, where(hit), hit.within.replaceAll(" > ", " › ")].filter(Boolean);
  return h(
    "li",
    { class: "hit", role: "option", id: `hit-${index}`, "aria-selected": "false", click: () => open(index) },
    kindIcon(hit),
    h(
      "div",
      { class: "what" },
      h(
        "div",
        { class: "title" },
        h("span", { class: hit.kind === "symbol" ? "name code-name" : "name" }, parts(hit.title)),
        h("span", { class: "sort", text: sort(hit) }),
        role(hit),
        share(hit),
      ),
      h(
        "div",
        { class: "place" },
        place.map((text) => h("span", { text })),
      ),
      excerpt(hit.excerpt),
    ),
  );
}

const role = (hit) => hit.facets.role && h("span", { class: "role", "data-role": hit.facets.role, text: hit.facets.role });

function excerpt(shown) {
  if (shown.code)
    return h(
      "div",
      { class: "code excerpt" },
      shown.code.map((line) => made("div", { class: "line" }, line || " ")),
    );
  return shown.parts.length ? h("p", { class: "excerpt" }, parts(shown.parts)) : null;
}

// How strong a hit is beside the best one, and what made it so.
function share(hit) {
  const best = found.hits[0]?.score || hit.score || 1;
  const lists = hit.explain.lists;
  const whole = lists.reduce((sum, list) => sum + list.share, 0) || 1;
  const width = Math.max(0.04, Math.min(1, hit.score / best));
  const said = lists.map((list) => `${list.name} #${list.rank}`).join(", ");
  const title = `score ${hit.score.toFixed(2)}: ${said}; changed ${ago(hit.updated)}`;
  return h(
    "span",
    { class: "share", title, "aria-hidden": "true" },
    h(
      "span",
      { style: { width: `${width * 100}%` } },
      lists.map((list) => h("i", { class: `list-${list.name}`, style: { flex: String(list.share / whole) } })),
    ),
  );
}

// Moves the choice; who reads a preview sees the next one at once.
export function select(index, follow = true) {
  if (!found.hits.length) return;
  const at = Math.max(0, Math.min(index, found.hits.length - 1));
  document.getElementById(`hit-${found.at}`)?.setAttribute("aria-selected", "false");
  found.at = at;
  const element = document.getElementById(`hit-${at}`);
  element.setAttribute("aria-selected", "true");
  for (const id of ["query", "hits"]) find(id).setAttribute("aria-activedescendant", element.id);
  if (!follow) return;
  element.scrollIntoView({ block: "nearest" });
  if (state.open) change({ open: found.hits[at].key }, "moving");
}

export function open(index, view = state.open ? state.view : "text") {
  const hit = found.hits[index];
  if (!hit) return;
  select(index, false);
  change({ open: hit.key, view }, state.open ? "moving" : "");
}
