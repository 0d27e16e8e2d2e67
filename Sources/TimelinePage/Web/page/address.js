// Keeps the state of the page in its address, so that a link to a place in a trace can be shared:
//
//   #FROM-TO/FINDING/name=value/…     times in nanoseconds
//
// The names are range (FROM-TO), item, task, search, only (a filter), folded (keys with 0 or 1) and scroll. Unknown
// names and values that do not fit the trace are ignored.

import { focusOf } from '../findings/focus.js';
import { itemHit } from '../picture/hits.js';
import { taskHit } from '../tracks/task.js';

export class Address {
  static timer = 0;

  /** Returns { from, to, finding, values: Map }, or null when the address has no view */
  static parse(/** @type {string} */ hash) {
    const [view, finding = '', ...pairs] = hash.replace(/^#/, '').split('/'), times = Address.times(view);
    if (!times) return null;
    /** @type {Map<string, string>} */
    const values = new Map();
    for (const pair of pairs) {
      const [, name, value] = /^(\w+)=(.*)$/.exec(pair) || [];
      // Ignore a pair that cannot be decoded and apply the rest of the link.
      try { if (name) values.set(name, decodeURIComponent(value)); } catch { continue; }
    }
    return { from: times[0], to: times[1], finding, values };
  }

  static times(/** @type {string} */ text) {
    const match = /^(-?\d{1,18})-(-?\d{1,18})$/.exec(text || '');
    return match && Number(match[2]) > Number(match[1]) ? [Number(match[1]), Number(match[2])] : null;
  }

  /** @type {(from: number, to: number, finding: string, values: [string, string | number][]) => string} */
  static format(from, to, finding, values) {
    const pairs = [...values].filter(([, value]) => value !== '')
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return '#' + [`${Math.round(from)}-${Math.round(to)}`, finding, ...pairs].join('/');
  }

  /** Writes the address 250 ms after the last change, because browsers limit the rate. */
  static write(/** @type {() => string} */ state) {
    clearTimeout(Address.timer);
    Address.timer = setTimeout(() => Address.writeNow(state), 250);
  }

  /** Adds an entry to the browser's history. Later writes replace this entry. */
  static push() {
    try { history.pushState(null, ''); } catch { /* A sandboxed page, or too many entries in a short time. */ }
  }

  static writeNow(/** @type {() => string} */ state) {
    clearTimeout(Address.timer);
    try { history.replaceState(null, '', state()); } catch { /* A sandboxed page has no address to change. */ }
  }
}

/** The address of the current state. */
export function addressOf(/** @type {Page} */ page) {
  const { view, timeline, range, list, filter, search, state } = page, { selectedRow } = state;
  return Address.format(view.from, view.to, state.finding ? state.finding.id : '', [
    ['range', range.isSet ? `${range.from}-${range.to}` : ''],
    ['item', selectedRow < 0 ? '' : selectedRow],
    ['task', page.tasks.isChosen ? page.tasks.chosen : ''],
    ['path', state.showsPath && selectedRow >= 0 ? 'item' : ''],
    ['run', state.showsRunPath ? 'path' : ''],
    ['search', search.text],
    ['only', filter.token], ['folded', list.foldedText()], ['scroll', Math.round(timeline.scroll) || ''],
  ]);
}

/** Restores the state of an address. Without one, frames the costliest finding that is more than a note. */
export function restorePage(/** @type {Page} */ page, /** @type {string} */ hash) {
  const { trace, view, list, timeline } = page, address = Address.parse(hash);
  const value = (/** @type {string} */ name) => address && address.values.get(name) || '';
  const first = address ? trace.findings.find((finding) => finding.id === address.finding)
    // Two traces open with both in view, because the question is how they differ.
    : trace.sides.length > 1 ? null
      : trace.findings.find((finding) => finding.severity !== 'info') || trace.findings[0];
  list.restoreFolded(value('folded'));
  if (first) page.findings.choose(first, true); else page.findings.clear();
  page.search.start(value('search'));
  page.filter.restore(value('only'));
  const range = Address.times(value('range')), item = Number(value('item') || -1);
  if (range) page.range.set(range[0], range[1]); else page.range.clear();
  const task = Number(value('task') || -1);
  /** @type {(number: number, count: number) => boolean} */
  const isPosition = (number, count) => Number.isInteger(number) && number >= 0 && number < count;
  page.select(isPosition(item, trace.items.count) ? itemHit(trace, item)
    : isPosition(task, trace.tasks.count) ? taskHit(trace, task) : null);
  if (value('path') && page.items.row >= 0) page.togglePath();
  page.state.set({ showsRunPath: value('run') === 'path' });
  if (address) {
    view.set(address.from, address.to);
    timeline.scrollTo(Number(value('scroll')) || 0);
  } else if (first) {
    const { from, to } = focusOf(trace, first);
    view.set(from - (to - from) * 0.05, to + (to - from) * 0.05);
  }
}
