// Light or dark: as the system says, or as was chosen. Runs before the first paint.
(() => {
  const root = document.documentElement;
  try {
    const chosen = localStorage.getItem("paberki-theme");
    if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  } catch { /* no storage: the system decides */ }
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("#theme")) return;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try { localStorage.setItem("paberki-theme", root.dataset.theme); } catch { /* for this page only */ }
  });
})();
