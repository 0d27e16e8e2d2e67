// Saves the view as a picture: PNG with twice the pixels, or SVG. The tracks draw both again, so the pictures are sharp
// and contain only the view.

import { Painter } from './painter.js';
import { SVGContext } from './svg_context.js';
import { formatPoint, printable } from '../units.js';

const PICTURE_SCALE = 2;

export class ViewExport {
  constructor(/** @type {Page} */ page) { this.page = page; }

  get title() {
    const { view, trace, state } = this.page, { finding } = state;
    const what = finding ? `${finding.id} ${finding.detector}` : 'timeline';
    return `${printable(trace.meta.title || '')} · ${what} · ${formatPoint(view.from)} to ${formatPoint(view.to)}`;
  }

  name(/** @type {'png' | 'svg'} */ kind) {
    const program = String(this.page.trace.meta.title || 'timeline').replace(/[^\w.-]+/g, '-').slice(0, 60);
    const { finding } = this.page.state;
    return `${program}${finding ? '-' + finding.id : ''}.${kind}`;
  }

  /** @returns the text of the SVG file */
  svg() {
    const { timeline, palette, view } = this.page, { painter } = timeline;
    const context = new SVGContext(painter.width, painter.height, painter.ctx);
    this.draw(new Painter(painter.canvas, palette, view, context));
    return context.text(this.title);
  }

  /** @returns {Promise<Blob>} the PNG file */
  png() {
    const { timeline, palette, view } = this.page, { painter } = timeline, canvas = document.createElement('canvas');
    canvas.width = painter.width * PICTURE_SCALE;
    canvas.height = painter.height * PICTURE_SCALE;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { alpha: false }));
    context.setTransform(PICTURE_SCALE, 0, 0, PICTURE_SCALE, 0, 0);
    const own = new Painter(canvas, palette, view, context);
    own.pixelScale = PICTURE_SCALE;
    this.draw(own);
    return new Promise((done, fail) => canvas.toBlob((blob) =>
      blob ? done(blob) : fail(new Error('The browser cannot write a PNG file of this size.')), 'image/png'));
  }

  draw(/** @type {Painter} */ painter) {
    const { timeline } = this.page;
    painter.width = timeline.painter.width;
    painter.height = timeline.painter.height;
    painter.isMatch = timeline.painter.isMatch;
    timeline.drawWith(painter);
  }

  async save(/** @type {'png' | 'svg'} */ kind) {
    const blob = kind === 'png' ? await this.png() : new Blob([this.svg()], { type: 'image/svg+xml' });
    const address = URL.createObjectURL(blob);
    Object.assign(document.createElement('a'), { href: address, download: this.name(kind) }).click();
    // The browser reads the blob after the click.
    setTimeout(() => URL.revokeObjectURL(address), 60000);
    this.page.notify(`${this.name(kind)} is saved.`);
  }
}
