// Mouse, pen and touch input of the timeline. Each action has a key as well (see keyboard.js).

import { RULER_HEIGHT } from '../picture/viewport.js';

export class TimelineInput {
  constructor(/** @type {Page} */ page) {
    const { timeline } = page;
    this.page = page;
    this.timeline = timeline;
    this.view = timeline.view;
    this.drag = null;
    /** @type {Map<number, { x: number }>} the positions of the pressed fingers or buttons */
    this.pointers = new Map();
    const { canvas } = timeline;
    canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    canvas.addEventListener('pointerdown', (event) => this.down(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.up(event));
    canvas.addEventListener('pointercancel', (event) => {
      this.pointers.delete(event.pointerId);
      this.drag = null;
    });
    canvas.addEventListener('pointerleave', () => { timeline.pointer = null; page.hover(null); timeline.redraw(); });
    canvas.addEventListener('dblclick', (event) => this.doubleClick(event));
  }

  wheel(/** @type {WheelEvent} */ event) {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    const x = event.deltaX * unit, y = event.deltaY * unit;
    if (event.offsetX < this.view.left || event.altKey) this.timeline.scrollBy(y);
    else if (event.shiftKey) this.view.pan(y || x);
    else if (Math.abs(x) > Math.abs(y)) this.view.pan(x);
    else this.view.zoom(Math.exp(Math.max(-300, Math.min(300, y)) * 0.0022), event.offsetX);
  }

  down(/** @type {PointerEvent} */ event) {
    if (event.button !== 0) return;
    this.timeline.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.offsetX });
    if (this.pointers.size > 1) { this.drag = null; return; }
    const { bar, painter } = this.timeline, x = event.offsetX, y = event.offsetY;
    const isBar = bar && x > painter.width - 12 && y > RULER_HEIGHT;
    this.drag = { x, y, from: this.view.from, to: this.view.to, scroll: this.timeline.scroll, isBar, moved: false,
      range: isBar ? null : this.rangeAnchor(event, x, y) };
  }

  /** The fixed end of a range that a drag marks; null when the drag pans. */
  rangeAnchor(/** @type {PointerEvent} */ event, /** @type {number} */ x, /** @type {number} */ y) {
    if (x <= this.view.left - 4 || (y > RULER_HEIGHT && !event.shiftKey)) return null;
    const { range } = this.page, opposite = y <= RULER_HEIGHT ? range.anchorOpposite(x) : null;
    return opposite === null ? range.snapped(x, this.edges(x, y)) : opposite;
  }

  /** The times of the interval under the pointer, to which a range snaps. */
  edges(/** @type {number} */ x, /** @type {number} */ y) {
    const found = this.timeline.find(x, y), { items } = this.page.trace;
    if (!found || !found.hit) return [];
    const { row, extent } = found.hit;
    return row >= 0 ? [...extent, items.begin[row]] : extent;
  }

  /** Zooms and pans with two fingers. The time between the fingers keeps its place. */
  pinch(/** @type {{ x: number }} */ pointer, /** @type {number} */ x) {
    const [one, other] = this.pointers.values(), apart = () => Math.max(Math.abs(one.x - other.x), 1);
    const before = apart(), middle = (one.x + other.x) / 2;
    pointer.x = x;
    this.view.zoom(before / apart(), middle);
    this.view.pan(middle - (one.x + other.x) / 2);
  }

  move(/** @type {PointerEvent} */ event) {
    const { timeline, view, drag } = this, x = event.offsetX, y = event.offsetY;
    const pointer = this.pointers.get(event.pointerId);
    if (pointer && this.pointers.size === 2) { this.pinch(pointer, x); return; }
    if (pointer) pointer.x = x;
    timeline.pointer = { x, y };
    if (!drag) {
      const found = timeline.find(x, y);
      timeline.canvas.style.cursor = this.cursor(found, x, y);
      this.page.hover(found && (found.hit || this.labelHint(found)), x, y);
      timeline.redraw();
      return;
    }
    if (Math.abs(x - drag.x) + Math.abs(y - drag.y) > 4) drag.moved = true;
    if (!drag.moved) return;
    this.page.hover(null);
    if (drag.range !== null) {
      this.page.range.set(drag.range, this.page.range.snapped(x, this.edges(x, y)), false);
      return;
    }
    const { bar } = timeline;
    if (drag.isBar && bar) {
      const hidden = timeline.list.height + 20 - timeline.bodyHeight;
      timeline.scrollTo(drag.scroll + (y - drag.y) * hidden / bar.room);
      return;
    }
    timeline.canvas.style.cursor = 'grabbing';
    timeline.scrollTo(drag.scroll - (y - drag.y));
    if (drag.x >= view.left) {
      const shift = (drag.x - x) * (drag.to - drag.from) / view.width;
      view.set(drag.from + shift, drag.to + shift);
    }
  }

  labelHint(/** @type {Found} */ { isLabel, placed: { row } }) {
    return isLabel && !row.isSection ? row.labelHint(this.timeline.painter) : null;
  }

  cursor(/** @type {Found | null} */ found, /** @type {number} */ x, /** @type {number} */ y) {
    const isRuler = y <= RULER_HEIGHT && x > this.view.left;
    if (isRuler) return this.page.range.anchorOpposite(x) === null ? 'text' : 'ew-resize';
    const isFold = found && found.isLabel && (found.placed.row.isSection || found.placed.row.isContainer);
    return found && (found.hit || isFold) ? 'pointer' : 'default';
  }

  up(/** @type {PointerEvent} */ event) {
    const { drag, timeline } = this, { range } = this.page;
    this.pointers.delete(event.pointerId);
    this.drag = null;
    if (!drag || drag.isBar) return;
    if (drag.range !== null && drag.moved) { range.set(range.from, range.to); return; }
    if (drag.moved) return;
    const found = timeline.find(event.offsetX, event.offsetY);
    if (!found) return;
    const { row } = found.placed;
    if (found.isLabel && (row.isSection || row.isContainer)) {
      timeline.list.toggle(row);
      timeline.scrollBy(0);
      this.page.remember();
    } else {
      this.page.select(found.hit);
    }
  }

  doubleClick(/** @type {MouseEvent} */ event) {
    const found = this.timeline.find(event.offsetX, event.offsetY);
    if (found && found.hit) this.page.frameHit(found.hit);
    else if (event.offsetX > this.view.left) this.view.zoom(1 / 3, event.offsetX);
  }
}
