// Everything that is seen, as an address, and back.

import { Address } from './address.js';
import { focusOf } from './focus.js';

/** What a link carries. */
export function addressOf(page) {
  const { view, timeline, range, list, filter, search, selectedRow } = page;
  return Address.format(view.from, view.to, timeline.finding ? timeline.finding.id : '', [
    ['range', range.isSet ? `${range.from}-${range.to}` : ''],
    ['item', selectedRow < 0 ? '' : selectedRow],
    ['path', timeline.path && timeline.path.row === selectedRow && selectedRow >= 0 ? 'item' : ''],
    ['run', timeline.showsRunPath ? 'path' : ''],
    ['search', search.text],
    ['only', filter.token], ['folded', list.foldedText()], ['scroll', Math.round(timeline.scroll) || ''],
  ]);
}

/** Takes up what an address says; without one the costliest finding is framed. */
export function restorePage(page, hash) {
  const { trace, view, list, timeline } = page, address = Address.parse(hash);
  const value = (name) => address && address.values.get(name) || '';
  const first = address ? trace.findings.find((finding) => finding.id === address.finding)
    // Two traces open with both in view: what differs is the question.
    : trace.sides.length > 1 ? null : trace.findings[0];
  list.restoreFolded(value('folded'));
  if (first) page.choose(first, true); else page.clearFinding();
  page.search.start(value('search'));
  page.filter.restore(value('only'));
  const range = Address.times(value('range')), item = Number(value('item') || -1);
  if (range) page.range.set(range[0], range[1]); else page.range.clear();
  page.select(item >= 0 && item < trace.items.count ? { kind: 'item', row: item } : null);
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
