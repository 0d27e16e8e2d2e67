// The state of the page in its address, so that a link to a place in a trace can be sent to a colleague:
//
//   #FROM-TO/FINDING/name=value/…     times in nanoseconds
//
// The names are range (FROM-TO), item, task, search, only (a filter), folded (keys with 0 or 1), scroll. What this
// file does not know, or what does not fit the trace, is passed over.

import { focusOf } from '../findings/focus.js';
import { itemHit } from '../picture/hits.js';
import { taskHit } from '../tracks/task.js';

export class Address {
  static timer = 0;

  /** Returns { from, to, finding, values: Map } or null when the address says nothing */
  static parse(hash) {
    const [view, finding = '', ...pairs] = hash.replace(/^#/, '').split('/'), times = Address.times(view);
    if (!times) return null;
    const values = new Map();
    for (const pair of pairs) {
      const [, name, value] = /^(\w+)=(.*)$/.exec(pair) || [];
      // Of a mangled link the rest still holds.
      try { if (name) values.set(name, decodeURIComponent(value)); } catch { continue; }
    }
    return { from: times[0], to: times[1], finding, values };
  }

  static times(text) {
    const match = /^(-?\d{1,18})-(-?\d{1,18})$/.exec(text || '');
    return match && Number(match[2]) > Number(match[1]) ? [Number(match[1]), Number(match[2])] : null;
  }

  static format(from, to, finding, values) {
    const pairs = [...values].filter(([, value]) => value !== '' && value !== null)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return '#' + [`${Math.round(from)}-${Math.round(to)}`, finding, ...pairs].join('/');
  }

  /** Writes when the page has been still for a moment: browsers limit how often. */
  static write(state) {
    clearTimeout(Address.timer);
    Address.timer = setTimeout(() => Address.writeNow(state), 250);
  }

  /** A new entry of the browser's history, which then is written to. */
  static push() {
    try { history.pushState(null, ''); } catch { /* The same, or there were too many in a short time. */ }
  }

  static writeNow(state) {
    clearTimeout(Address.timer);
    try { history.replaceState(null, '', state()); } catch { /* A sandboxed page has no address to change. */ }
  }
}

/** What a link carries. */
export function addressOf(/** @type {Page} */ page) {
  const { view, timeline, range, list, filter, search, selectedRow } = page;
  return Address.format(view.from, view.to, timeline.finding ? timeline.finding.id : '', [
    ['range', range.isSet ? `${range.from}-${range.to}` : ''],
    ['item', selectedRow < 0 ? '' : selectedRow],
    ['task', page.tasks.isChosen ? page.tasks.chosen : ''],
    ['path', timeline.path && timeline.path.row === selectedRow && selectedRow >= 0 ? 'item' : ''],
    ['run', timeline.showsRunPath ? 'path' : ''],
    ['search', search.text],
    ['only', filter.token], ['folded', list.foldedText()], ['scroll', Math.round(timeline.scroll) || ''],
  ]);
}

/** Takes up what an address says; without one the costliest finding that is more than a note is framed. */
export function restorePage(/** @type {Page} */ page, hash) {
  const { trace, view, list, timeline } = page, address = Address.parse(hash);
  const value = (name) => address && address.values.get(name) || '';
  const first = address ? trace.findings.find((finding) => finding.id === address.finding)
    // Two traces open with both in view: what differs is the question.
    : trace.sides.length > 1 ? null
      : trace.findings.find((finding) => finding.severity !== 'info') || trace.findings[0];
  list.restoreFolded(value('folded'));
  if (first) page.choose(first, true); else page.clearFinding();
  page.search.start(value('search'));
  page.filter.restore(value('only'));
  const range = Address.times(value('range')), item = Number(value('item') || -1);
  if (range) page.range.set(range[0], range[1]); else page.range.clear();
  const task = Number(value('task') || -1);
  const isPosition = (number, count) => Number.isInteger(number) && number >= 0 && number < count;
  page.select(isPosition(item, trace.items.count) ? itemHit(trace, item)
    : isPosition(task, trace.tasks.count) ? taskHit(trace, task) : null);
  if (value('path') && page.selectedRow >= 0) page.togglePath();
  timeline.showsRunPath = value('run') === 'path';
  if (address) {
    view.set(address.from, address.to);
    timeline.scrollTo(Number(value('scroll')) || 0);
  } else if (first) {
    const { from, to } = focusOf(trace, first);
    view.set(from - (to - from) * 0.05, to + (to - from) * 0.05);
  }
}
