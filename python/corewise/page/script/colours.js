// Colours for canvases: read from the page's style, and again when it changes between light and dark.

/** @type {Record<string, string>} */
let named = {};
/** @type {string[]} Light to dark. */
let ramp = [];
/** @type {boolean[]} Whether black is readable on each shade. */
let bright = [];
/** @type {(() => void)[]} */
const listeners = [];

/** @param {string} name Of a variable in the style sheet. */
export function colour(name) {
  return (named[name] ??= getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
}

/** @param {number} share 0 to 1. */
export function shade(share) {
  return ramp[step(share)] ?? "";
}

/** Black or white, whichever is readable on the shade. @param {number} share */
export function onShade(share) {
  return bright[step(share)] ? "#000000" : "#ffffff";
}

/** @param {number} share */
function step(share) {
  return Math.round(255 * Math.min(1, Math.max(0, share)));
}

/** A bar of all shades, for legends. @param {HTMLElement} bar */
export function rampBar(bar) {
  bar.className = "ramp";
  bar.style.background = `linear-gradient(90deg, ${[0, 0.25, 0.5, 0.75, 1].map(shade).join(", ")})`;
  return bar;
}

/** Relative luminance (WCAG 2). @param {number[]} rgb */
function luminance(rgb) {
  const [r = 0, g = 0, b = 0] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** @param {() => void} listener Called when the colours changed. */
export function onColours(listener) {
  listeners.push(listener);
}

function read() {
  named = {};
  const stops = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => {
    const value = Number.parseInt(colour(`shade-${number}`).slice(1), 16);
    return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
  });
  const mixed = Array.from({ length: 256 }, (_, i) => {
    const place = (i / 255) * (stops.length - 1);
    const below = Math.min(stops.length - 2, Math.floor(place));
    const [from, to] = [stops[below] ?? [], stops[below + 1] ?? []];
    return from.map((value, part) => Math.round(value + ((to[part] ?? 0) - value) * (place - below)));
  });
  ramp = mixed.map((rgb) => `rgb(${rgb.join(" ")})`);
  bright = mixed.map((rgb) => luminance(rgb) > 0.18);
}

export function watchColours() {
  read();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    read();
    for (const listener of listeners) listener();
  });
}
