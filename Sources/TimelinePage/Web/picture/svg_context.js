// Writes SVG instead of drawing on a canvas. Implements the part of the canvas interface that painter.js and the tracks
// use. Texts are escaped, so that no text becomes markup.

export class SVGContext {
  constructor(/** @type {number} */ width, /** @type {number} */ height, /** @type {Context} */ measure) {
    this.width = width;
    this.height = height;
    this.measure = measure;
    /** @type {string[]} */
    this.shapes = [];
    /** @type {string[]} */
    this.definitions = [];
    /** @type {Map<string, string>} */
    this.hatches = new Map();
    this.clips = 0;
    /** @type {Partial<SVGContext>[]} */
    this.stack = [];
    /** @type {Fill} */
    this.fillStyle = '#000';
    /** @type {Fill} */
    this.strokeStyle = '#000';
    this.lineWidth = this.globalAlpha = 1;
    this.font = this.clipName = this.path = '';
    /** @type {number[]} */
    this.dash = [];
    /** @type {CanvasTextAlign} */
    this.textAlign = 'left';
    /** @type {CanvasTextBaseline} */
    this.textBaseline = 'alphabetic';
  }

  static escape(/** @type {Fill} */ text) {
    /** @type {Record<string, string>} */
    const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
    // XML does not allow control characters and lone surrogates.
    return String(text).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udfff]/gu, '\ufffd')
      .replace(/[&<>"']/g, (character) => escapes[character]);
  }

  static number(/** @type {number} */ value) {
    return Number.isFinite(value) ? String(Math.round(value * 100) / 100) : '0';
  }

  /** The fill for diagonal strokes of a colour; see Palette.hatch. */
  hatch(/** @type {string} */ colour) {
    const known = this.hatches.get(colour);
    if (known) return known;
    const name = `hatch${this.hatches.size}`, url = `url(#${name})`, fill = SVGContext.escape(colour);
    this.definitions.push(`<pattern id="${name}" width="6" height="6" patternUnits="userSpaceOnUse">`
      + `<rect width="6" height="6" fill="${fill}" fill-opacity=".2"/>`
      + `<path d="M-6 6L0 0M0 6L6 0M6 6L12 0" stroke="${fill}" stroke-width="1.2" stroke-opacity=".85"/></pattern>`);
    this.hatches.set(colour, url);
    return url;
  }

  save() {
    const { fillStyle, strokeStyle, lineWidth, globalAlpha, font, dash, textAlign, textBaseline, clipName } = this;
    this.stack.push({ fillStyle, strokeStyle, lineWidth, globalAlpha, font, dash, textAlign, textBaseline, clipName });
  }

  restore() { Object.assign(this, this.stack.pop()); }
  setTransform() { /* The picture has the pixels of the page. */ }
  setLineDash(/** @type {number[]} */ dash) { this.dash = dash; }
  /** @type {CanvasRenderingContext2D['measureText']} */
  measureText(text) {
    this.measure.font = this.font;
    return this.measure.measureText(text);
  }

  beginPath() { this.path = ''; }
  /** @type {CanvasRenderingContext2D['moveTo']} */
  moveTo(x, y) { this.path += `M${SVGContext.number(x)} ${SVGContext.number(y)}`; }
  /** @type {CanvasRenderingContext2D['lineTo']} */
  lineTo(x, y) { this.path += `L${SVGContext.number(x)} ${SVGContext.number(y)}`; }
  closePath() { this.path += 'Z'; }
  /** @type {CanvasRenderingContext2D['rect']} */
  rect(x, y, width, height) {
    const n = SVGContext.number;
    this.path += `M${n(x)} ${n(y)}h${n(width)}v${n(height)}h${n(-width)}Z`;
  }

  fill() { this.add('path', `d="${this.path}" ${this.fillAttributes()}`); }
  stroke() { this.add('path', `d="${this.path}" ${this.strokeAttributes()}`); }

  /** Clips later shapes to the path and to the current clip. */
  clip() {
    const name = `clip${this.clips++}`, outer = this.clipName ? ` clip-path="url(#${this.clipName})"` : '';
    this.definitions.push(`<clipPath id="${name}"${outer}><path d="${this.path}"/></clipPath>`);
    this.clipName = name;
  }

  /** @type {CanvasRenderingContext2D['fillRect']} */
  fillRect(x, y, width, height) {
    if (!(width > 0 && height > 0) || this.fillStyle === 'transparent') return;
    this.add('rect', `${this.area(x, y, width, height)} ${this.fillAttributes()}`);
  }

  /** @type {CanvasRenderingContext2D['strokeRect']} */
  strokeRect(x, y, width, height) { this.add('rect', `${this.area(x, y, width, height)} ${this.strokeAttributes()}`); }

  /** @type {(x: number, y: number, width: number, height: number) => string} */
  area(x, y, width, height) {
    const n = SVGContext.number;
    return `x="${n(x)}" y="${n(y)}" width="${n(Math.max(0, width))}" height="${n(Math.max(0, height))}"`;
  }

  /** @type {CanvasRenderingContext2D['fillText']} */
  fillText(text, x, y) {
    const { textAlign } = this, anchor = textAlign === 'center' ? 'middle' : textAlign === 'right' ? 'end' : 'start';
    const n = SVGContext.number;
    this.shapes.push(`<text x="${n(x)}" y="${n(y)}" text-anchor="${anchor}" dominant-baseline="central" `
      + `style="font:${SVGContext.escape(this.font)}" ${this.fillAttributes()}${this.clipAttribute()}>`
      + `${SVGContext.escape(text)}</text>`);
  }

  fillAttributes() { return `fill="${SVGContext.escape(this.fillStyle)}"${this.alphaAttribute()}`; }
  strokeAttributes() {
    const dash = this.dash.length ? ` stroke-dasharray="${this.dash.join(' ')}"` : '';
    return `fill="none" stroke="${SVGContext.escape(this.strokeStyle)}" stroke-width="${this.lineWidth}"${dash}`
      + this.alphaAttribute();
  }
  alphaAttribute() { return this.globalAlpha < 1 ? ` opacity="${this.globalAlpha}"` : ''; }
  clipAttribute() { return this.clipName ? ` clip-path="url(#${this.clipName})"` : ''; }
  add(/** @type {string} */ tag, /** @type {string} */ attributes) {
    this.shapes.push(`<${tag} ${attributes}${this.clipAttribute()}/>`);
  }

  /** The text of the file. */
  text(/** @type {string} */ title) {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${this.width}" height="${this.height}" `
      + `viewBox="0 0 ${this.width} ${this.height}" role="img"><title>${SVGContext.escape(title)}</title>`
      + `<defs>${this.definitions.join('')}</defs>${this.shapes.join('\n')}</svg>\n`;
  }
}
