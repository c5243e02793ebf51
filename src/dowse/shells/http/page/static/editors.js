// In which editor does a file open? The one that was chosen last, by a link that the machine hands to it.
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { keep, kept } from "./keeping.js";

const path = (file) => encodeURI(`${file.root}/${file.path}`).replace(/#/g, "%23").replace(/\?/g, "%3F");
const EDITORS = {
  vscode: ["VS Code", (file) => `vscode://file${path(file)}:${file.line}`],
  cursor: ["Cursor", (file) => `cursor://file${path(file)}:${file.line}`],
  jetbrains: [
    "JetBrains",
    (file) =>
      `jetbrains://idea/navigate/reference?${new URLSearchParams({ project: file.project, path: `${file.path}:${file.line}` })}`,
  ],
  zed: ["Zed", (file) => `zed://file${path(file)}:${file.line}`],
  none: ["No editor", () => ""],
};

const remembered = kept("editor");
let chosen = remembered in EDITORS ? remembered : "vscode";

// The link, and the choice of editor beside it. Only where the server says where the file lies.
export function editorMenu(file) {
  if (!file) return null;
  const link = h("a", { class: "editor" });
  const select = h(
    "select",
    { "aria-label": "Editor", change: () => (keep("editor", (chosen = select.value)), update()) },
    Object.entries(EDITORS).map(([name, [label]]) => h("option", { value: name, text: label, selected: name === chosen })),
  );
  const update = () => {
    const [label, address] = EDITORS[chosen];
    link.replaceChildren(icon("open"), h("span", { text: `Open in ${label}` }));
    link.setAttribute("href", address(file) || "#");
    link.hidden = chosen === "none";
  };
  update();
  return h(
    "span",
    { class: "editors" },
    link,
    h("span", { class: "choice" }, select, h("span", { "aria-hidden": "true", text: "▾" })),
  );
}
