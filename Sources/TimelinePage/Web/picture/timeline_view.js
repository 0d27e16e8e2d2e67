// The main canvas: labels at the left, a ruler at the top, and the visible rows of the track list.

import { Connections } from './connections.js';
import { BOLD, Painter } from './painter.js';
import { drawPath, drawRunPath } from './path_band.js';
import { LABEL_WIDTH, RULER_HEIGHT } from './viewport.js';
import { lowerBound } from '../trace/columns.js';
import { drawTask } from './task_connections.js';
import { formatDuration, formatInstant, plural, tickStep } from '../units.js';

export class TimelineView {
  constructor(/** @type {HTMLCanvasElement} */ canvas, /** @type {Page} */ page) {
    const { trace, list, view } = page;
    this.canvas = canvas;
    this.trace = trace;
    this.list = list;
    this.view = view;
    this.state = page.state;
    this.range = page.range;
    this.cursor = page.cursor;
    this.painter = new Painter(canvas, page.palette, view);
    this.connections = new Connections(trace, view);
    this.scroll = 0;
    /** @type {{ x: number, y: number } | null} */
    this.pointer = null;
    /** @type {TaskTrack | null} the lane of the selected task, below all rows */
    this.dock = null;
    /** @type {{ top: number, length: number, room: number } | null} the scroll bar; null when it is not needed */
    this.bar = null;
    this.isPending = false;
    this.isDrawn = false;
    view.left = LABEL_WIDTH;
  }

  /** Draws once before the next frame, for any number of calls. */
  redraw() {
    if (this.isPending) return;
    this.isPending = true;
    requestAnimationFrame(() => {
      this.isPending = false;
      this.draw();
    });
  }

  resize(/** @type {number} */ width, /** @type {number} */ height) {
    const { painter } = this;
    if (width === painter.width && height === painter.height && painter.isSharp) return;
    painter.resize(width, height);
    this.view.width = Math.max(100, width - LABEL_WIDTH - 12);
    if (this.list.pinned) this.pin(this.list.pinned.banner, this.list.pinned.tracks);
    // Draw at once, because a resized canvas is black until then. Before the first frame the canvas is not visible yet.
    if (this.isDrawn) this.draw(); else this.redraw();
  }

  /**
   * Shows rows below a banner, whose height depends on the width. Without a banner, shows only the rows of the trace.
   */
  pin(/** @type {Banner | null} */ banner, /** @type {Track[]} */ tracks) {
    if (banner) banner.layout(this.painter);
    this.list.pin(banner, tracks);
  }

  /** The banner above the rows of the chosen finding. */
  get banner() { return this.list.pinned ? this.list.pinned.banner : null; }
  get bodyHeight() { return this.painter.height - RULER_HEIGHT - (this.dock ? this.dock.height : 0); }
  get bodyBottom() { return RULER_HEIGHT + this.bodyHeight; }

  scrollBy(/** @type {number} */ pixels) { this.scrollTo(this.scroll + pixels); }

  scrollTo(/** @type {number} */ y) {
    this.scroll = Math.max(0, Math.min(y, this.list.height - this.bodyHeight + 20));
    this.redraw();
  }

  /** Scrolls by the smallest distance that makes a row visible. */
  show(/** @type {Placed | undefined} */ placed) {
    if (!placed) return;
    if (placed.y < this.scroll) this.scrollTo(placed.y - 8);
    const bottom = placed.y + placed.height;
    if (bottom > this.scroll + this.bodyHeight) this.scrollTo(bottom - this.bodyHeight + 8);
  }

  /** Draws the view with another painter, without the pointer. */
  drawWith(/** @type {Painter} */ painter) {
    const own = this.painter, { pointer } = this;
    this.painter = painter;
    this.pointer = null;
    try { this.draw(); } finally { this.painter = own; this.pointer = pointer; }
  }

  draw() {
    this.isDrawn = true;
    const p = this.painter;
    p.rect(0, 0, p.width, p.height, p.colours.paper);
    p.selected = this.state.selectedRow;
    p.clipped(0, RULER_HEIGHT, p.width, this.bodyHeight, () => this.drawBody());
    if (this.dock) this.drawDock(this.dock);
    this.drawRuler();
    this.range.drawRuler(p, RULER_HEIGHT);
    this.drawMeasure();
    this.drawPointer();
    this.drawScrollBar();
  }

  drawBody() {
    const p = this.painter, { view, banner } = this, visible = this.visible(), top = RULER_HEIGHT - this.scroll;
    for (const [{ row, height }, y] of visible) this.drawGround(row, y, height);
    if (banner) banner.drawGround(p, top, top + this.list.pinnedHeight);
    this.range.drawGround(p, RULER_HEIGHT, this.bodyHeight);
    this.drawGrid();
    p.clipped(view.left - 1, RULER_HEIGHT, view.width + 2, this.bodyHeight, () => this.drawTracks(visible));
    for (const [placed, y] of visible) {
      placed.row.drawLabel(p, y, this.list.foldMark(placed.row), placed.height);
      this.cursor.draw(p, placed, y);
    }
    if (banner) banner.drawPlaces(p, top, RULER_HEIGHT);
  }

  /** Draws the rows, and the arrows and paths over them. */
  drawTracks(/** @type {[Placed, number][]} */ visible) {
    const p = this.painter, { state } = this, unpinned = /** @type {Map<number, number>} */ (new Map());
    for (const [{ row }, y] of visible) {
      if (row.isSection) continue;
      row.draw(p, y);
      const at = row.anchor(y);
      if (row.thread >= 0 && !row.isPinned && at !== undefined) unpinned.set(row.thread, at);
    }
    // Among pinned rows, the row of the lock or queue itself shows the hand-offs.
    if (p.selected >= 0) {
      this.connections.drawHandoffs(p, this.trace.items.queue[p.selected], unpinned);
      const places = this.anchors;
      this.connections.drawItem(p, p.selected, places, this.bodyHeight);
      if (state.path && state.showsPath) drawPath(p, state.path.segments, places);
    }
    if (state.showsRunPath) {
      const places = this.anchors;
      for (const side of this.trace.sides) drawRunPath(p, this.trace, side, places);
    }
  }

  /** The positions to which arrows can point. */
  get anchors() { return Connections.anchors(this.list.rows, RULER_HEIGHT - this.scroll, this.bodyBottom); }

  /** Draws the lane of the selected task. It keeps its place while rows scroll; its arrows lead to the rows. */
  drawDock(/** @type {TaskTrack} */ dock) {
    const { view, trace } = this, p = this.painter, top = this.bodyBottom, { selectedRow } = this.state;
    p.rect(0, top, p.width, dock.height, p.colours.paper);
    p.rect(0, top, p.width, dock.height, p.colours.focusSoft);
    p.rect(0, top, p.width, 1, p.colours.focus);
    p.clipped(view.left - 1, RULER_HEIGHT, view.width + 2, p.height - RULER_HEIGHT, () => {
      dock.draw(p, top);
      const known = selectedRow >= 0 ? trace.items.begin[selectedRow] : NaN;
      drawTask(p, trace, dock.task, this.anchors, dock.anchor(top), known);
    });
    dock.drawLabel(p, top, '', dock.height);
  }

  /** The visible rows, each with its top on the canvas. */
  visible() {
    /** @type {[Placed, number][]} */
    const visible = [];
    for (let i = this.list.at(this.scroll); i < this.list.rows.length; i++) {
      const placed = this.list.rows[i], y = RULER_HEIGHT + placed.y - this.scroll;
      if (y > this.bodyBottom) break;
      visible.push([placed, y]);
    }
    return visible;
  }

  /** Does a visible row draw an item? */
  shows(/** @type {number} */ row) {
    return this.visible().some(([{ row: track }]) => !track.isSection && track.shows(row));
  }

  /**
   * The first item that begins in the view, on the row of the cursor or on the topmost row with such an item; -1
   * without one.
   */
  firstRowInView() {
    const { placed } = this.cursor;
    for (const { row: track } of [...placed ? [placed] : [], ...this.visible().map(([each]) => each)]) {
      const running = track.isSection ? null : track.items;
      if (!running) continue;
      const at = lowerBound(running.begins, this.view.from);
      if (at < running.length && running.begins[at] <= this.view.to) return running.row(at);
    }
    const { begin } = this.trace.items, order = this.trace.orderByBegin;
    const row = order.find((each) => begin[each] >= this.view.from);
    return row !== undefined && begin[row] <= this.view.to ? row : -1;
  }

  drawGround(/** @type {Row} */ row, /** @type {number} */ y, /** @type {number} */ height) {
    const p = this.painter, c = p.colours;
    if (row.isSection) {
      p.rect(0, y, p.width, height, c.band);
      p.rect(0, y, p.width, 1, c.line);
      return;
    }
    if (row.isPinned) p.rect(0, y, p.width, height, c.focusSoft);
    p.rect(0, y + height - 1, p.width, 1, c.line);
  }

  drawGrid() {
    const { view } = this, p = this.painter, step = tickStep(view.span, view.width / 110);
    for (let time = Math.ceil(view.from / step) * step; time <= view.to; time += step) {
      p.rect(Math.round(view.x(time)), RULER_HEIGHT, 1, this.bodyHeight, p.colours.line);
    }
    for (const time of [this.trace.begin, this.trace.end]) {
      const x = view.x(time);
      if (x >= view.left && x <= view.right) p.rect(Math.round(x), RULER_HEIGHT, 1, this.bodyHeight, p.colours.faint);
    }
  }

  drawRuler() {
    const { view } = this, p = this.painter, c = p.colours;
    p.rect(0, 0, p.width, RULER_HEIGHT, c.paper);
    p.rect(0, RULER_HEIGHT - 1, p.width, 1, c.line);
    const { leftOut } = this.trace, hidden = leftOut.isEmpty ? 0 : leftOut.items(view.from, view.to);
    p.text(`${formatDuration(view.span)} in view`, 12, hidden ? 9 : RULER_HEIGHT / 2, c.faint);
    if (hidden) {
      p.text(`${plural(hidden, 'item')} left out (--budget)`, 12, 20, c.text, { width: LABEL_WIDTH - 20 });
      for (const { from, to } of leftOut.ranges()) {
        const [left, right] = view.clipped(from, Math.min(to, this.trace.end));
        if (right > left) p.rect(left, 0, right - left, 4, p.hatch(c.wait));
      }
    }
    const step = tickStep(view.span, view.width / 110);
    for (let time = Math.ceil(view.from / step) * step; time <= view.to; time += step) {
      const x = Math.round(view.x(time));
      p.rect(x, RULER_HEIGHT - 7, 1, 6, c.faint);
      const text = formatInstant(time, step, view.to);
      p.text(text, Math.min(x + 4, p.width - p.textWidth(text) - 2), RULER_HEIGHT / 2 - 2, c.text);
    }
  }

  /** Draws a line from the start of a measurement to the pointer. */
  drawMeasure() {
    const { measuredFrom } = this.state;
    if (measuredFrom === null) return;
    const p = this.painter, { view } = this, x = view.x(measuredFrom);
    const to = this.pointer && this.pointer.x > view.left ? this.pointer.x : view.middle;
    p.rect(Math.round(x), RULER_HEIGHT, 1, this.bodyHeight, p.colours.strong);
    p.rect(Math.min(x, to), RULER_HEIGHT + 20, Math.abs(to - x), 1, p.colours.strong);
    const text = formatDuration(Math.abs(view.time(to) - measuredFrom)), width = p.textWidth(text, BOLD) + 12;
    p.rect((x + to - width) / 2, RULER_HEIGHT + 12, width, 17, p.colours.strong);
    p.text(text, (x + to) / 2, RULER_HEIGHT + 21, p.colours.paper, { font: BOLD, align: 'center' });
  }

  drawPointer() {
    if (!this.pointer || this.pointer.x < this.view.left || this.pointer.y < RULER_HEIGHT) return;
    const p = this.painter, c = p.colours, { x } = this.pointer;
    p.faded(0.5, () => p.rect(Math.round(x), RULER_HEIGHT - 8, 1, p.height, c.faint));
    const text = formatInstant(this.view.time(x), tickStep(this.view.span, this.view.width / 4), this.view.to),
      width = p.textWidth(text) + 10;
    const left = Math.min(x - width / 2, p.width - width);
    p.rect(left, 4, width, 17, c.strong);
    p.text(text, left + 5, 13, c.paper);
  }

  drawScrollBar() {
    const p = this.painter, share = this.bodyHeight / (this.list.height + 20);
    if (share >= 1) return;
    const length = Math.max(30, this.bodyHeight * share), room = this.bodyHeight - length;
    this.bar = { top: RULER_HEIGHT + room * this.scroll / (this.list.height + 20 - this.bodyHeight), length, room };
    p.rect(p.width - 8, this.bar.top, 5, length, p.colours.dim);
  }

  /** @returns {Found | null} the row and the hit at a place */
  find(/** @type {number} */ x, /** @type {number} */ y) {
    if (y < RULER_HEIGHT) return null;
    if (this.dock && y > this.bodyBottom) {
      return this.found({ row: this.dock, y: 0, height: this.dock.height }, x, y - this.bodyBottom);
    }
    const at = y - RULER_HEIGHT + this.scroll, placed = this.list.rows[this.list.at(at)];
    if (!placed) return null;
    return this.found(placed, x, at - placed.y);
  }

  found(/** @type {Placed} */ placed, /** @type {number} */ x, /** @type {number} */ dy) {
    const { row } = placed, isLabel = row.isSection || x < this.view.left;
    return { placed, isLabel, hit: row.isSection ? null : isLabel ? row.labelHit() : row.hit(x, dy, this.view) };
  }
}
