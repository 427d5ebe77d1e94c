// For the keyboard and for readers of screens: what scrolls can be focused, and the search has a name.
function reach() {
  for (const wide of document.querySelectorAll(".md-typeset__scrollwrap, .hub")) wide.tabIndex = 0;
  document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
}
new MutationObserver(reach).observe(document.body, { childList: true, subtree: true });
reach();
