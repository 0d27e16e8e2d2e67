// Totals of a time range by queue, code, cause of waiting and thread. Times are clipped to the range. The causes of a
// wait that the range cuts are scaled in proportion, because their order is not recorded.

import { element, linkTo, panelTitle, swatch } from './page_element.js';
import { pathKinds, SEGMENT_TITLES } from '../trace/causal_path.js';
import { waitParts } from '../trace/decoder.js';
import { WAIT_PARTS } from '../trace/vocabulary.js';
import { formatCount, formatDuration, formatPercent, formatPoint, plural } from '../units.js';

/**
 * @typedef {object} RangeTotals
 * @property {number} key the queue or code
 * @property {number} items
 * @property {number} busy
 * @property {number} waited
 */

export class RangeTables {
  constructor(/** @type {Trace} */ trace, /** @type {number} */ from, /** @type {number} */ to) {
    this.trace = trace;
    this.from = from;
    this.to = to;
    this.items = this.waits = 0;
    this.causes = WAIT_PARTS.map(({ title: name, meaning }, part) => ({ part, name, meaning, time: 0, items: 0 }));
    /** @type {Map<number, RangeTotals>} */
    const queues = new Map();
    /** @type {Map<number, RangeTotals>} */
    const codes = new Map();
    this.scan(queues, codes);
    this.threads = this.scanThreads();
    this.queues = RangeTables.ranked(queues);
    this.codes = RangeTables.ranked(codes);
    /** The time of the range by step of the run's critical path: { kind, time, side } */
    this.path = trace.sides.flatMap((side) => pathKinds(side.criticalPath ? side.criticalPath.segments : [], from, to)
      .map(([kind, time]) => ({ kind, time, side: side.name })));
    /** The page has only the last steps of a long path. */
    this.isPathCut = trace.sides.some(({ criticalPath: path }) =>
      path && path.omitted > 0 && from < (path.segments.length ? path.segments[0].from : path.end));
    /** The number of items that began in the range and have no detail in the page. */
    this.leftOut = trace.leftOut.isEmpty ? 0 : trace.leftOut.items(from, to);
    this.causes = this.causes.filter((entry) => entry.time > 0).sort((a, b) => b.time - a.time);
  }

  static ranked(/** @type {Map<number, RangeTotals>} */ entries) {
    return [...entries.values()].sort((a, b) => b.waited + b.busy - a.waited - a.busy);
  }

  clipped(/** @type {number} */ begin, /** @type {number} */ end) {
    return Math.max(0, Math.min(end, this.to) - Math.max(begin, this.from));
  }

  scan(/** @type {Map<number, RangeTotals>} */ queues, /** @type {Map<number, RangeTotals>} */ codes) {
    const { trace } = this, { begin, end, enqueued, queue, shape, count } = trace.items;
    const entry = (/** @type {Map<number, RangeTotals>} */ map, /** @type {number} */ key) => {
      const found = map.get(key) || { key, items: 0, busy: 0, waited: 0 };
      map.set(key, found);
      return found;
    };
    for (let row = 0; row < count; row++) {
      if (enqueued[row] >= this.to || end[row] < this.from || (begin[row] < this.from && end[row] === this.from)) {
        continue;
      }
      const waited = this.clipped(enqueued[row], begin[row]);
      const hasRun = begin[row] < this.to && end[row] >= this.from, busy = this.clipped(begin[row], end[row]);
      if (!hasRun && waited === 0) continue;
      for (const target of [entry(queues, queue[row]), entry(codes, trace.shapes[shape[row]].code)]) {
        if (hasRun) target.items++;
        target.busy += busy;
        target.waited += waited;
      }
      if (hasRun) this.items++;
      if (waited === 0) continue;
      this.waits++;
      const share = waited / (begin[row] - enqueued[row]);
      waitParts(trace.items, row).forEach((part, number) => {
        if (part <= 0) return;
        this.causes[number].time += part * share;
        this.causes[number].items++;
      });
    }
  }

  scanThreads() {
    const { trace } = this;
    /** @type {{ key: number, items: number, busy: number, blocked: number }[]} */
    const threads = [];
    trace.threads.forEach((_, thread) => {
      const work = trace.work(thread), blocked = trace.blocked(thread);
      const entry = { key: thread, items: 0, busy: 0, blocked: 0 };
      const [first, last] = work.range(this.from, this.to);
      for (let i = first; i < last; i++) {
        if (work.ends[i] < this.from) continue;
        entry.items++;
        // A nested item runs within an item that is already counted.
        if (work.lanes.lane[i] === 0) entry.busy += this.clipped(work.begins[i], work.ends[i]);
      }
      const [from, to] = blocked.range(this.from, this.to);
      for (let i = from; i < to; i++) entry.blocked += this.clipped(blocked.begins[i], blocked.ends[i]);
      if (entry.items || entry.blocked) threads.push(entry);
    });
    return threads.sort((a, b) => b.busy - a.busy || a.key - b.key);
  }
}

const RANGE_ROWS = 7;

/** The tables of the marked range, shown in place of the details. */
export class RangePanel {
  constructor(/** @type {HTMLElement} */ container, /** @type {Trace} */ trace, /** @type {Page} */ page) {
    this.container = container;
    this.trace = trace;
    this.page = page;
  }

  show(/** @type {RangeSelection} */ range) {
    const { trace, page } = this, tables = new RangeTables(trace, range.from, range.to), length = range.length;
    const share = (/** @type {number} */ time) => formatPercent(time / length);
    const code = (/** @type {number} */ index) => trace.meta.codes[index] || 'unknown code';
    this.container.replaceChildren(...[
      panelTitle(`Range of ${formatDuration(length)}`, 'Clear the range', () => page.clear()),
      element('p', { className: 'calm' }, `${formatPoint(range.from)} to ${formatPoint(range.to)} · `
        + `${plural(tables.items, 'item')} ran, ${formatCount(tables.waits)} waited`),
      element('div', { className: 'buttons' },
        element('button', { type: 'button', id: 'range-zoom', onclick: () => page.view.frame(range.from, range.to, 0) },
          'Zoom to it'),
        element('button', { type: 'button', id: 'range-clear', onclick: () => page.range.clear() }, 'Clear')),
      this.table('Waits by cause', ['cause', 'items', 'time'], tables.causes, (entry) => [
        element('span', { title: entry.meaning }, swatch(`part part-${entry.part}`), entry.name),
        formatCount(entry.items), formatDuration(entry.time)]),
      tables.leftOut ? element('p', { className: 'caveat' },
        `${formatCount(tables.leftOut)} more items began in or near the range. The tables do not include them: they `
        + 'were left out to keep this file within its size limit (--budget).') : '',
      this.table('Critical path of the run', ['step', 'of the range', 'time'], tables.path, (entry) => [
        (entry.side ? `${entry.side}: ` : '') + SEGMENT_TITLES[entry.kind], share(entry.time),
        formatDuration(entry.time)]),
      tables.isPathCut ? element('p', { className: 'caveat' }, 'The critical path has earlier steps in the range. '
        + 'They are not in this file and not in this table.') : '',
      this.table('Queues', ['queue', 'items', 'busy', 'waited'], tables.queues, (entry) => [
        linkTo(trace.labels.queue(entry.key), () => page.revealQueue(entry.key)), formatCount(entry.items),
        share(entry.busy), formatDuration(entry.waited)]),
      this.table('Code', ['code', 'items', 'busy', 'waited'], tables.codes, (entry) => [
        linkTo(code(entry.key), () => page.searchFor(code(entry.key))), formatCount(entry.items),
        formatDuration(entry.busy), formatDuration(entry.waited)]),
      this.table('Threads', ['thread', 'items', 'busy', 'blocked'], tables.threads, (entry) => [
        linkTo(trace.labels.thread(entry.key), () => page.revealThread(entry.key)), formatCount(entry.items),
        share(entry.busy), share(entry.blocked)]),
    ].flat().filter((part) => part));
    this.container.hidden = false;
    return `Range of ${formatDuration(length)}: ${plural(tables.items, 'item')} ran`
      + (tables.causes.length ? `; largest cause of waiting: ${tables.causes[0].name}` : '');
  }

  /**
   * @template Entry
   * @param {string} title
   * @param {string[]} heads
   * @param {Entry[]} entries
   * @param {(entry: Entry) => Child[]} cells
   */
  table(title, heads, entries, cells) {
    if (!entries.length) return '';
    const line = (/** @type {Entry} */ entry) => element('tr', {}, cells(entry).map((cell, number) =>
      element(number ? 'td' : 'th', number ? {} : { scope: 'row' }, cell)));
    const body = element('tbody', {}, entries.slice(0, RANGE_ROWS).map(line)), rest = entries.length - RANGE_ROWS;
    const more = element('button', { type: 'button', className: 'link', onclick: () => {
      body.append(...entries.slice(RANGE_ROWS).map(line));
      more.remove();
    } }, `${formatCount(rest)} more`);
    return [element('table', { className: 'range' }, element('caption', {}, title),
      element('thead', {}, element('tr', {}, heads.map((head) => element('th', { scope: 'col' }, head)))), body),
    rest > 0 ? more : ''];
  }
}
