// Each colour has one meaning: a hue is a thread, amber is waiting, vermilion is a blocked thread or a mistake, and
// blue-grey is the sum of work. The hues of threads come from a search. Under every common colour-vision deficiency any
// two of them have a CIE76 distance of at least 18, and each has at least 15 from amber and vermilion. Each has a
// contrast of 3 : 1 with its background (WCAG, graphics), and labels in the bars have 4.5 : 1.
// Tools/browser-tests/colours.py computes these values again.

export const LIGHT = {
  paper: '#ffffff', band: '#f6f7f9', line: '#e3e6eb', strong: '#1d2430', text: '#3b4453', faint: '#5f6b7c',
  run: '#6b7f9e', wait: '#b87700', waitSoft: 'rgba(184,119,0,.38)', blocked: '#d0491c',
  mark: '#c2185b', focus: '#1a56c4', focusSoft: 'rgba(26,86,196,.09)', inks: ['#ffffff', '#000000'], dim: '#d8dde5',
  handoff: '#1d2430',
  threads: ['#4734a8', '#08966b', '#712971', '#3b67ac', '#9000fc', '#fc005a', '#8165ec', '#26512b', '#513648',
    '#87728b'],
};
export const DARK = {
  paper: '#14171d', band: '#1a1e26', line: '#2a303b', strong: '#f2f5f9', text: '#c3cad6', faint: '#9aa5b6',
  run: '#7d93b5', wait: '#f0b73f', waitSoft: 'rgba(240,183,63,.38)', blocked: '#ff7a4a',
  mark: '#ff5c98', focus: '#6ea2ff', focusSoft: 'rgba(110,162,255,.12)', inks: ['#000000', '#ffffff'], dim: '#333a47',
  handoff: '#f2f5f9',
  threads: ['#6e80ff', '#58f1c6', '#c18ab1', '#a3e4f5', '#eaea36', '#f31b48', '#8d81d4', '#00ab75', '#c6f375',
    '#acbaf9'],
};

/** The contrast of two colours as WCAG 2 defines it, 1 to 21. */
function contrast(/** @type {string} */ one, /** @type {string} */ other) {
  const light = (/** @type {string} */ colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, number) => sum + part * [0.2126, 0.7152, 0.0722][number], 0);
  const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

export class Palette {
  constructor() {
    this.query = matchMedia('(prefers-color-scheme: dark)');
    /** @type {Map<string, Fill>} */
    this.patterns = new Map();
    /** @type {Map<string, string>} */
    this.chosenInks = new Map();
    this.colours = this.query.matches ? DARK : LIGHT;
  }

  /** Calls `redraw` when the colour scheme changes. Printing always uses the light colours. */
  onChange(/** @type {() => void} */ redraw) {
    const change = (/** @type {boolean} */ isPrinting) => {
      document.documentElement.classList.toggle('printing', isPrinting);
      this.colours = this.query.matches && !isPrinting ? DARK : LIGHT;
      this.patterns.clear();
      this.chosenInks.clear();
      redraw();
    };
    this.query.addEventListener('change', () => change(false));
    addEventListener('beforeprint', () => change(true));
    addEventListener('afterprint', () => change(false));
  }

  /** Black or white, whichever has the better contrast on a colour. One of them always has 4.5 : 1. */
  ink(/** @type {Fill} */ ground) {
    const { inks } = this.colours;
    // The background of a pattern is pale.
    if (typeof ground !== 'string' || !ground.startsWith('#')) return inks[0];
    const ink = this.chosenInks.get(ground) || [...inks].sort((a, b) => contrast(b, ground) - contrast(a, ground))[0];
    this.chosenInks.set(ground, ink);
    return ink;
  }

  thread(/** @type {number} */ index) { return this.colours.threads[index % this.colours.threads.length]; }

  /** Diagonal strokes on a pale background of the same colour. They mark waiting without relying on the hue. */
  hatch(/** @type {Context} */ ctx, /** @type {string} */ colour, /** @type {number} */ scale) {
    if ('hatch' in ctx) return ctx.hatch(colour);
    const key = colour + scale, known = this.patterns.get(key);
    if (known) return known;
    const size = Math.round(6 * scale), tile = document.createElement('canvas');
    tile.width = tile.height = size;
    const pen = /** @type {CanvasRenderingContext2D} */ (tile.getContext('2d'));
    pen.globalAlpha = 0.2;
    pen.fillStyle = colour;
    pen.fillRect(0, 0, size, size);
    pen.globalAlpha = 0.85;
    pen.strokeStyle = colour;
    pen.lineWidth = 1.2 * scale;
    pen.beginPath();
    for (const shift of [-size, 0, size]) { pen.moveTo(shift, size); pen.lineTo(shift + size, 0); }
    pen.stroke();
    const pattern = /** @type {CanvasPattern} */ (ctx.createPattern(tile, 'repeat'));
    pattern.setTransform(new DOMMatrix().scale(1 / scale));
    this.patterns.set(key, pattern);
    return pattern;
  }
}
