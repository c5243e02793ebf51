// What does the address say? The query, the filters, the record that is open and how; back and forward go through it.

const OWN = ["kind", "space", "tag"];
const listeners = [];

export const state = read();

function read() {
  const pairs = [...new URLSearchParams(location.search)];
  const one = (name) => pairs.find(([key]) => key === name)?.[1] ?? "";
  return {
    query: one("q"),
    filters: pairs.filter(([name]) => OWN.includes(name) || name.startsWith("is.")),
    open: one("open"),
    view: one("view") || "text",
    status: pairs.some(([name]) => name === "status"),
  };
}

function address(of) {
  const pairs = [];
  if (of.status) pairs.push(["status", ""]);
  if (of.query) pairs.push(["q", of.query]);
  pairs.push(...of.filters);
  if (of.open) pairs.push(["open", of.open]);
  if (of.open && of.view !== "text") pairs.push(["view", of.view]);
  const text = new URLSearchParams(pairs).toString().replace("status=", "status");
  return text ? `?${text}` : location.pathname;
}

// Changes the state and tells everyone. A step of the same sort as the last (typing on, moving down) replaces it in the history.
export function change(changes, sort = "") {
  const before = { ...state };
  Object.assign(state, changes);
  const to = address(state);
  if (to !== address(before)) {
    const again = sort && history.state?.sort === sort;
    history[again ? "replaceState" : "pushState"]({ sort }, "", to);
  }
  tell(before);
}

export const onChange = (listener) => listeners.push(listener);

function tell(before) {
  for (const listener of listeners) listener(state, before);
}

addEventListener("popstate", () => {
  const before = { ...state };
  Object.assign(state, read());
  tell(before);
});

// Filters by the name that counts have: facets without the prefix that sets them apart in the address.
export const nameOf = (key) => key.replace(/^is\./, "");
export const keyOf = (name) => (OWN.includes(name) ? name : `is.${name}`);
export const chosen = (name) => state.filters.filter(([key]) => key === keyOf(name)).map(([, value]) => value);

export function toggle(name, value) {
  const key = keyOf(name);
  const without = state.filters.filter(([other, of]) => other !== key || of !== value);
  change({ filters: without.length < state.filters.length ? without : [...state.filters, [key, value]] });
}

// One kind, or all. Facets belong to kinds: another kind starts without them.
export function chooseKind(kind) {
  const kept = state.filters.filter(([name]) => name === "space" || name === "tag");
  change({ filters: kind ? [...kept, ["kind", kind]] : kept });
}
