// Light or dark? Known before the first paint, so that nothing flashes; "auto" follows the system.
try {
  const chosen = localStorage.getItem("dowse.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // A browser that keeps nothing follows the system.
}
