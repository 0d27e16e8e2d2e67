// The tables of the marked range, shown in place of the details.

import { element, linkTo, panelTitle, swatch } from './page_element.js';
import { SEGMENT_TITLES } from '../trace/causal_path.js';
import { RangeTables } from '../trace/range_tables.js';
import { formatCount, formatDuration, formatPercent, formatPoint, plural } from '../units.js';

const RANGE_ROWS = 7;

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
