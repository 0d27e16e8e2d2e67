// One meaning per colour: a hue is a thread, amber is waiting, vermilion is a thread blocked or a mistake, blue-grey is
// work in sum. The hues are Paul Tol's muted scheme, which stays distinct with the common colour-vision deficiencies.

const LIGHT = {
  paper: '#ffffff', band: '#f6f7f9', line: '#e3e6eb', strong: '#1d2430', text: '#3b4453', faint: '#7b8594',
  run: '#6b7f9e', wait: '#e8a317', waitSoft: 'rgba(232,163,23,.38)', blocked: '#d0491c',
  blockedSoft: 'rgba(208,73,28,.16)',
  mark: '#c2185b', focus: '#1a56c4', focusSoft: 'rgba(26,86,196,.09)', ink: '#ffffff', dim: '#d8dde5',
  handoff: '#1d2430',
  threads: ['#3f51a8', '#2b9b8a', '#a5477f', '#4aa3d8', '#8f8f2c', '#c7566a', '#7d6bc9', '#1e7a44', '#8a5a36',
    '#5f7389'],
};
const DARK = {
  paper: '#14171d', band: '#1a1e26', line: '#2a303b', strong: '#f2f5f9', text: '#c3cad6', faint: '#828c9c',
  run: '#7d93b5', wait: '#f0b73f', waitSoft: 'rgba(240,183,63,.38)', blocked: '#ff7a4a',
  blockedSoft: 'rgba(255,122,74,.2)',
  mark: '#ff5c98', focus: '#6ea2ff', focusSoft: 'rgba(110,162,255,.12)', ink: '#10131a', dim: '#333a47',
  handoff: '#f2f5f9',
  threads: ['#8492ec', '#46c2ae', '#d684b4', '#7cc7f2', '#c5c566', '#ee8c9d', '#b3a4f4', '#5fc088', '#cf9f75',
    '#9fb2c8'],
};

class Palette {
  constructor() {
    this.query = matchMedia('(prefers-color-scheme: dark)');
    this.patterns = new Map();
    this.colours = this.query.matches ? DARK : LIGHT;
  }

  onChange(redraw) {
    this.query.addEventListener('change', () => {
      this.colours = this.query.matches ? DARK : LIGHT;
      this.patterns.clear();
      redraw();
    });
  }

  thread(index) { return this.colours.threads[index % this.colours.threads.length]; }

  /** Diagonal strokes of a colour on a pale ground of it: waiting, told apart from running without relying on hue. */
  hatch(ctx, colour, scale) {
    const key = colour + scale;
    if (!this.patterns.has(key)) {
      const size = Math.round(6 * scale), tile = document.createElement('canvas');
      tile.width = tile.height = size;
      const pen = tile.getContext('2d');
      pen.globalAlpha = 0.2;
      pen.fillStyle = colour;
      pen.fillRect(0, 0, size, size);
      pen.globalAlpha = 0.85;
      pen.strokeStyle = colour;
      pen.lineWidth = 1.2 * scale;
      pen.beginPath();
      for (const shift of [-size, 0, size]) { pen.moveTo(shift, size); pen.lineTo(shift + size, 0); }
      pen.stroke();
      const pattern = ctx.createPattern(tile, 'repeat');
      pattern.setTransform(new DOMMatrix().scale(1 / scale));
      this.patterns.set(key, pattern);
    }
    return this.patterns.get(key);
  }
}
