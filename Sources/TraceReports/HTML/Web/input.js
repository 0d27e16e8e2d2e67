// Mouse and keyboard on the timeline. Everything the mouse can do the keyboard can, too.

class TimelineInput {
  constructor(timeline, actions) {
    this.timeline = timeline;
    this.view = timeline.view;
    this.actions = actions;
    this.drag = null;
    const { canvas } = timeline;
    canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    canvas.addEventListener('pointerdown', (event) => this.down(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.up(event));
    canvas.addEventListener('pointercancel', () => { this.drag = null; });
    canvas.addEventListener('pointerleave', () => { timeline.pointer = null; actions.hover(null); timeline.redraw(); });
    canvas.addEventListener('dblclick', (event) => this.doubleClick(event));
    document.addEventListener('keydown', (event) => this.key(event));
  }

  wheel(event) {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    const x = event.deltaX * unit, y = event.deltaY * unit;
    if (event.offsetX < this.view.left || event.altKey) this.timeline.scrollBy(y);
    else if (event.shiftKey) this.view.pan(y || x);
    else if (Math.abs(x) > Math.abs(y)) this.view.pan(x);
    else this.view.zoom(Math.exp(Math.max(-300, Math.min(300, y)) * 0.0022), event.offsetX);
  }

  down(event) {
    if (event.button !== 0) return;
    this.timeline.canvas.setPointerCapture(event.pointerId);
    const { bar, painter } = this.timeline, x = event.offsetX, y = event.offsetY;
    const isBar = bar && x > painter.width - 12 && y > RULER_HEIGHT;
    this.drag = { x, y, from: this.view.from, to: this.view.to, scroll: this.timeline.scroll, isBar, moved: false,
      isRange: event.shiftKey && x > this.view.left };
  }

  move(event) {
    const { timeline, view, drag } = this, x = event.offsetX, y = event.offsetY;
    timeline.pointer = { x, y };
    if (!drag) {
      const found = timeline.find(x, y);
      timeline.canvas.style.cursor = found && (found.hit
        || (found.isLabel && (found.placed.row.isSection || found.placed.row.isContainer)))
        ? 'pointer' : 'default';
      this.actions.hover(found && found.hit, x, y);
      timeline.redraw();
      return;
    }
    if (Math.abs(x - drag.x) + Math.abs(y - drag.y) > 4) drag.moved = true;
    if (!drag.moved) return;
    this.actions.hover(null);
    if (drag.isBar) {
      const hidden = timeline.list.height + 20 - timeline.bodyHeight;
      timeline.scrollTo(drag.scroll + (y - drag.y) * hidden / timeline.bar.room);
      return;
    }
    timeline.canvas.style.cursor = 'grabbing';
    timeline.scrollTo(drag.scroll - (y - drag.y));
    if (drag.x >= view.left) {
      const shift = (drag.x - x) * (drag.to - drag.from) / view.width;
      view.set(drag.from + shift, drag.to + shift);
    }
  }

  up(event) {
    const { drag, timeline } = this;
    this.drag = null;
    if (!drag || drag.moved || drag.isBar) return;
    const found = timeline.find(event.offsetX, event.offsetY);
    if (!found) return;
    const { row } = found.placed;
    if (found.isLabel && (row.isSection || row.isContainer)) {
      timeline.list.toggle(row);
      timeline.scrollBy(0);
    } else {
      this.actions.select(found.hit);
    }
  }

  doubleClick(event) {
    const found = this.timeline.find(event.offsetX, event.offsetY);
    if (found && found.hit) this.actions.frameHit(found.hit);
    else if (event.offsetX > this.view.left) this.view.zoom(1 / 3, event.offsetX);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { view, timeline, actions } = this, middle = view.left + view.width / 2;
    const isButton = event.target instanceof HTMLButtonElement || event.target.tagName === 'SUMMARY';
    const commands = {
      w: () => view.zoom(0.7, this.anchor(middle)), '+': () => view.zoom(0.7, middle),
      '=': () => view.zoom(0.7, middle),
      s: () => view.zoom(1 / 0.7, this.anchor(middle)), '-': () => view.zoom(1 / 0.7, middle),
      a: () => view.pan(-view.width / 6), ArrowLeft: () => view.pan(-view.width / 6),
      d: () => view.pan(view.width / 6), ArrowRight: () => view.pan(view.width / 6),
      ArrowUp: () => timeline.scrollBy(-60), ArrowDown: () => timeline.scrollBy(60),
      PageUp: () => timeline.scrollBy(-timeline.bodyHeight * 0.8),
      PageDown: () => timeline.scrollBy(timeline.bodyHeight * 0.8),
      0: () => view.whole(), Home: () => view.whole(),
      f: actions.frameSelection, n: () => actions.chooseNext(1), p: () => actions.chooseNext(-1),
      '/': actions.search, '?': actions.help, Escape: actions.clear,
    };
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key, command = commands[name];
    if (!command || (isButton && (name === 'Enter' || name === ' '))) return;
    event.preventDefault();
    command();
  }

  /** Letters zoom around the pointer when it is on the timeline. */
  anchor(middle) {
    const { pointer } = this.timeline;
    return pointer && pointer.x > this.view.left ? pointer.x : middle;
  }
}
