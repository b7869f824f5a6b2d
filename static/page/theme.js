// Puts the reader's chosen theme on the root before the first paint.
try {
  const theme = localStorage.getItem("tema");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // storage refused: the system's scheme it is
}
document.documentElement.classList.add("js");
