// Colours of the map: a straight line in OKLab between two CSS colours, so equal steps of weight
// look equal, and lightness alone (safe for every kind of colour blindness) carries the value.

/**
 * @typedef {object} Palette
 * @property {string} paper
 * @property {string} ink
 * @property {string} soft
 * @property {string} accent
 * @property {string} hatch lines of a masked square
 * @property {string} font
 * @property {string[]} ramp 256 CSS colours, weight 0 to 1
 * @property {string[]} inkOn text colour on each of them (contrast ≥ 4.5 by construction)
 * @property {Uint32Array} pixels the ramp as canvas pixels
 * @property {number} hatchPixel
 */

/** @typedef {[number, number, number]} Triple */

const toLinear = (/** @type {number} */ c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const toGamma = (/** @type {number} */ c) => (c <= 0.0031308 ? c * 12.92 : 1.055 * c ** (1 / 2.4) - 0.055);

/** sRGB 0–1 → OKLab (Ottosson 2020). @param {Triple} rgb @returns {Triple} */
export function toOklab([red, green, blue]) {
  const [r, g, b] = [toLinear(red), toLinear(green), toLinear(blue)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** OKLab → sRGB 0–1, clipped to the gamut. @param {Triple} lab @returns {Triple} */
export function fromOklab([lightness, a, b]) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (/** @type {number} */ c) => Math.min(1, Math.max(0, toGamma(Math.max(0, c))));
  return [
    clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** Relative luminance (WCAG 2). @param {Triple} rgb */
export const luminance = ([r, g, b]) =>
  0.2126 * toLinear(r) + 0.7152 * toLinear(g) + 0.0722 * toLinear(b);

/** Any CSS colour → sRGB 0–1, as the browser paints it. @param {string} colour @returns {Triple} */
export function parseColour(colour) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { willReadFrequently: true }));
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
  return [r / 255, g / 255, b / 255];
}

const css = (/** @type {Triple} */ rgb) => `rgb(${rgb.map((c) => Math.round(c * 255)).join(' ')})`;

/** @param {Triple} rgb @returns {number} little-endian RGBA, as ImageData's 32-bit view wants it */
const pixel = ([r, g, b]) =>
  ((255 << 24) | (Math.round(b * 255) << 16) | (Math.round(g * 255) << 8) | Math.round(r * 255)) >>> 0;

/**
 * Read the palette from the CSS variables in force at a node.
 * @param {Element} node @returns {Palette}
 */
export function readPalette(node) {
  const style = getComputedStyle(node);
  const read = (/** @type {string} */ name) => parseColour(style.getPropertyValue(name).trim());
  const low = toOklab(read('--hm-low'));
  const high = toOklab(read('--hm-high'));
  const steps = Array.from({ length: 256 }, (_, k) => {
    const mix = (/** @type {number} */ c) => low[c] + ((high[c] - low[c]) * k) / 255;
    return fromOklab([mix(0), mix(1), mix(2)]);
  });
  const hatch = read('--hm-hatch');
  return {
    paper: css(read('--hm-paper')),
    ink: css(read('--hm-ink')),
    soft: css(read('--hm-soft')),
    accent: css(read('--hm-accent')),
    hatch: css(hatch),
    font: style.fontFamily || 'sans-serif',
    ramp: steps.map(css),
    // Black or white: whichever is further; the worse case is √21 ≈ 4.58.
    inkOn: steps.map((rgb) => (luminance(rgb) > 0.1791 ? '#000' : '#fff')),
    pixels: Uint32Array.from(steps, pixel),
    hatchPixel: pixel(hatch),
  };
}
