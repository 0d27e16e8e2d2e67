// Starts the page.

import { Page } from './page/page.js';
import { byId, element } from './panels/page_element.js';
import { DARK, LIGHT, Palette } from './picture/palette.js';
import { TRACK_KINDS } from './picture/track.js';
import { LABEL_WIDTH } from './picture/viewport.js';
import { CausalPath } from './trace/causal_path.js';
import { bytesOfBase64, decodeTimeline, waitParts } from './trace/decoder.js';
import { joinTraces } from './trace/joined_traces.js';
import { RangeTables } from './trace/range_tables.js';
import { Trace } from './trace/trace.js';
import { slicesByProcessor } from './tracks/processor.js';
import { workersOf } from './tracks/workers.js';
import { formatDuration, plural } from './units.js';

function start() {
  const decode = (/** @type {string} */ id) => {
    const data = byId(id), pieces = [...data.childNodes].map((comment) => comment.nodeValue || '');
    data.remove();
    return pieces.length ? decodeTimeline(bytesOfBase64(pieces)) : null;
  };
  performance.mark('loaded');
  const first = decode('trace-data'), second = decode('trace-data-after');
  performance.mark('decoded');
  if (!first) throw new Error('This page contains no timeline.');
  const trace = new Trace(second ? joinTraces(first, second) : first);
  const palette = new Palette(), page = new Page(trace, palette), { view, timeline, overview, list } = page;
  performance.mark('built');
  /** @type {(id: string, action: () => void) => void} */
  const onClick = (id, action) => byId(id).addEventListener('click', action);
  onClick('whole', () => view.whole());
  onClick('zoom-in', () => view.zoom(0.6, view.middle));
  onClick('zoom-out', () => view.zoom(1 / 0.6, view.middle));
  onClick('search-next', () => page.search.step(1));
  onClick('search-previous', () => page.search.step(-1));
  onClick('copy-link', () => page.copyLink());
  onClick('save-png', () => page.export.save('png'));
  onClick('save-svg', () => page.export.save('svg'));
  onClick('help-button', () => page.toggleHelp());
  page.keyboard.fill(byId('help-keys'));
  byId('legend').append(...TRACK_KINDS.flatMap(({ legend = [] }) => legend.map(([name, text]) =>
    element('li', {}, element('i', { className: name }), text))));
  const sum = (/** @type {(side: Side) => number} */ count) =>
    trace.sides.reduce((total, side) => total + count(side), 0);
  const busy = (/** @type {keyof TraceFacts['busy']} */ kind, /** @type {string} */ noun) => {
    const count = sum(({ facts }) => facts.busy[kind]);
    return count ? [plural(count, noun)] : [];
  };
  byId('facts').textContent = [formatDuration(trace.end - trace.begin), plural(sum((side) => side.items), 'item'),
    ...busy('queues', 'busy queue'), ...busy('actors', 'actor'), ...busy('loops', 'event loop'),
    plural(trace.threads.length, 'thread')].join(' · ');

  const paper = matchMedia('print'), layout = () => {
    if (paper.matches) return;
    const { width, height } = page.stage.getBoundingClientRect();
    timeline.resize(Math.floor(width), Math.floor(height));
    overview.resize(Math.floor(width), LABEL_WIDTH);
  };
  new ResizeObserver(layout).observe(page.stage);
  palette.onChange(() => {
    timeline.draw();
    overview.draw();
  });
  layout();
  performance.mark('laid out');
  // A link can name any row. Without a link, rows below the window are built after the first frame.
  if (!location.hash) list.limit = timeline.bodyHeight;
  page.restore(location.hash);
  /** @type {Element} */ (document.querySelector('aside')).addEventListener('click', ({ target }) => {
    if (/** @type {Element} */ (target).closest('.link, .finding, .evidence button')) page.leave();
  }, { capture: true });
  addEventListener('popstate', () => page.restore(location.hash));
  // For tests and for the console of the browser: read access to the state of the page.
  window.queuescope = {
    trace, palettes: { light: LIGHT, dark: DARK },
    view: () => ({ from: view.from, to: view.to, left: view.left, width: view.width }),
    rows: () => list.rows.map(({ row, y, height }) => ({ key: row.key, title: row.title, y, height })),
    banner: () => timeline.banner && { lines: timeline.banner.lines, hint: timeline.banner.hintLines.join(' '),
      callouts: timeline.banner.callouts, whole: timeline.banner.note },
    finding: () => page.state.finding && page.state.finding.id, selection: () => page.items.row,
    reveal: (/** @type {string} */ key) => {
      const placed = list.reveal(key);
      timeline.show(placed);
      return placed && { key, y: placed.y };
    },
    range: () => page.range.isSet ? [page.range.from, page.range.to] : null,
    path: (/** @type {number} */ row) => new CausalPath(trace, row), showsRunPath: () => page.state.showsRunPath,
    tables: (/** @type {number} */ from, /** @type {number} */ to) => new RangeTables(trace, from, to),
    relations: trace.relations, address: () => page.address(),
    svg: () => page.export.svg(),
    task: () => page.tasks.chosen, lane: () => timeline.dock && { y: timeline.bodyBottom, height: timeline.dock.height,
      pieces: timeline.dock.pieces.map(({ what, from, to }) => ({ what, from, to })) },
    keys: () => [...page.keyboard.commands.keys()],
    draw: () => timeline.draw(), scroll: () => timeline.scroll, bar: () => timeline.bar,
    waitParts: (/** @type {number} */ row) => waitParts(trace.items, row),
    processors: () => slicesByProcessor(trace, trace.sides[0]),
    workers: (/** @type {Side} */ side) => workersOf(trace, side),
  };
  // Runs after the first frame is visible.
  requestAnimationFrame(() => setTimeout(() => {
    performance.mark('ready');
    list.limit = Infinity;
    list.rebuild();
    timeline.scrollBy(0);
    document.body.classList.add('ready');
  }));
}

try {
  start();
} catch (error) {
  const message = byId('failure');
  message.textContent = 'This timeline cannot be shown: ' + (error instanceof Error ? error.message : error);
  message.hidden = false;
  throw error;
}
