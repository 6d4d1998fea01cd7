// Marks the visible section in the list of contents.

/** @param {HTMLElement} nav */
export function followScroll(nav) {
  const links = [...nav.querySelectorAll("a")];
  const sections = links.map((link) => document.getElementById(link.hash.slice(1)));
  const follow = () => {
    const line = innerHeight * 0.3;
    const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 4;
    let current = 0;
    let nearest = -Infinity;
    sections.forEach((section, i) => {
      const top = section?.getBoundingClientRect().top ?? Infinity;
      if (top <= line && top > nearest) [current, nearest] = [i, top]; // the left one of two side by side
    });
    if (atEnd) current = links.length - 1;
    links.forEach((link, i) => {
      if (i === current) link.setAttribute("aria-current", "location");
      else link.removeAttribute("aria-current");
    });
  };
  let waiting = false;
  addEventListener(
    "scroll",
    () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        follow();
      });
    },
    { passive: true },
  );
  follow();
}
