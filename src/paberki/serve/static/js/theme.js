// Light or dark: as the system says, or as was chosen. A cookie tells the server, whose pages have it from the first paint on.
document.addEventListener("click", (event) => {
  if (!event.target.closest?.("#theme")) return;
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  document.cookie = `paberki-theme=${root.dataset.theme}; path=/; max-age=31536000; samesite=strict`;
});
