// What are things called here? Names of kinds, facets and lists, and how numbers and times are said.

export const KINDS = {
  symbol: ["Symbol", "Symbols", "code"],
  codefile: ["Source file", "Source files", "code"],
  section: ["Section", "Sections", "docs"],
  document: ["Document", "Documents", "docs"],
  snippet: ["Snippet", "Snippets", "docs"],
  item: ["Task", "Tasks", "work"],
  note: ["Note", "Notes", "work"],
  page: ["Page", "Pages", "page"],
  knowledge: ["Knowledge", "Knowledge", "page"],
  skill: ["Skill", "Skills", "page"],
  node: ["Architecture", "Architecture", "arch"],
  chunk: ["Passage", "Passages", "arch"],
  library: ["Library", "Libraries", "lib"],
  version: ["Version", "Versions", "lib"],
  file: ["File", "Files", "file"],
};
export const kindName = (kind) => KINDS[kind]?.[0] ?? kind;
export const kindNames = (kind) => KINDS[kind]?.[1] ?? kind;
export const kindColour = (kind) => `var(--kind-${KINDS[kind]?.[2] ?? "file"})`;

// What a record is, in a word: a symbol is a function or a class, a node is a service.
export function sort(record) {
  const facets = record.facets ?? {};
  if (record.kind === "symbol" && facets.symbolKind) return facets.symbolKind;
  if (record.kind === "node" && facets.kind) return facets.kind;
  return kindName(record.kind).toLowerCase();
}

export const FACETS = {
  space: "Space",
  language: "Language",
  symbolKind: "Symbol",
  role: "Role",
  status: "Status",
  priority: "Priority",
  type: "Type",
  tag: "Tag",
  test: "Test code",
  kind: "Kind",
};

export const LISTS = {
  text: ["Words", "its text holds the words you typed, rarer words counting more"],
  names: ["Names", "its title, path or identifier holds them"],
  substring: ["Parts of words", "a word of it contains what you typed"],
  vectors: ["Meaning", "a passage of it means something close, whatever its words"],
  graph: ["Links", "records linked to it are hits too"],
  prefix: ["Beginnings", "a word of it begins as you typed"],
};
export const SIGNALS = {
  "called so": "it is called exactly as you typed",
  "a type called so": "a class or type of that name comes before a function",
  "defines it": "its text defines what you named",
  "file called so": "its file is called as you typed",
  "changed lately": "people worked on it lately",
  test: "test code: who looks for a thing wants the thing first",
  generated: "generated code",
  linked: "good hits link to it, or it to them",
  "same file": "other hits of its file speak for it",
  "every word": "it holds every word of the query",
  meaning: "it means something close, though its words brought it here",
  "side by side": "words of the query stand close together in it",
  "a part of it": "something within it answers better than the whole",
  "file already shown": "another hit of its file stands before it",
};

const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "long" });
const STEPS = [
  ["year", 31536000],
  ["month", 2592000],
  ["week", 604800],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
];

export function ago(seconds, now = Date.now() / 1000) {
  const passed = seconds - now;
  for (const [unit, size] of STEPS) if (Math.abs(passed) >= size) return RELATIVE.format(Math.round(passed / size), unit);
  return "just now";
}

export const number = (value) => value.toLocaleString("en");
export const many = (value, one, more = `${one}s`) => `${number(value)} ${value === 1 ? one : more}`;

export function size(bytes) {
  const units = ["bytes", "kB", "MB", "GB"];
  let unit = 0;
  while (bytes >= 1000 && unit < 3) [bytes, unit] = [bytes / 1000, unit + 1];
  return `${unit ? bytes.toFixed(1) : bytes} ${units[unit]}`;
}

export const duration = (seconds) => (seconds < 1 ? `${Math.max(1, Math.round(seconds * 1000))} ms` : `${seconds.toFixed(1)} s`);
// Its path and line, where it has any.
export const where = (record) => (record.path && record.line ? `${record.path}:${record.line}` : record.path);
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const score = (value) => value.toFixed(2).replace(/^0\./, ".");
