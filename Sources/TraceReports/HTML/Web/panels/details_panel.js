// What is known of the thing that was clicked, and the short form for the thing under the pointer.

import { ItemStory } from './item_story.js';
import { element, panelTitle, rowsOf } from './page_element.js';
import { SEGMENT_TITLES } from '../trace/causal_path.js';
import { BLOCKED, PREEMPTED, UNFINISHED } from '../trace/decoder.js';
import { MARK_KINDS } from '../trace/trace.js';
import { formatCount, formatDuration, formatPoint, printable } from '../units.js';

// By the kind of a blocked wait, as TimelineFormat numbers them.
const WAIT_TITLES = [
  'Waited for a group', 'Waited for a semaphore', 'Waited for a work item', 'Still waiting for a queue',
  'Still waiting for a lock',
];

export class DetailsPanel {
  constructor(container, trace, story, page) {
    this.container = container;
    this.trace = trace;
    this.story = story;
    this.page = page;
  }

  hide() { this.container.hidden = true; }

  /** @returns what was chosen, in a sentence */
  show(hit) {
    const { title, facts, row } = this.describe(hit), { page } = this, isItem = row >= 0;
    const button = (text, id, action) => element('button', { type: 'button', id, onclick: action }, text);
    this.container.replaceChildren(panelTitle(title, 'Close the details', () => page.clear()),
      ...isItem ? this.story.parts(row).filter((part) => part) : [],
      element('div', { className: 'buttons' },
        button('Frame', 'frame-item', () => page.frameHit(hit)),
        button('Mark its time', 'mark-item', () => page.markRange(hit)),
        isItem ? button('Only this queue', 'only-queue', () => page.filterBy('queue')) : '',
        isItem ? button('Only this thread', 'only-thread', () => page.filterBy('thread')) : ''),
      rowsOf(facts));
    this.container.hidden = false;
    this.container.scrollTop = 0;
    return isItem ? this.story.sentence(row)
      : [title, ...facts.filter((fact) => fact).map((fact) => fact.join(' '))].join(', ');
  }

  describe(hit) {
    const { trace } = this, { meta } = trace;
    const code = (index) => printable(meta.codes[index] || 'unknown code');
    if (hit.kind === 'item') return this.describeItem(hit.row);
    if (hit.kind === 'pending') return this.describePending(hit.item);
    if (hit.kind === 'slice') return this.describeSlice(hit);
    if (hit.kind === 'workers') return this.describeWorkers(hit);
    if (hit.kind === 'leftOut') {
      return { title: 'Left out of this file', row: -1, facts: [
        ['items', formatCount(hit.items)], ['began from', formatPoint(hit.from)], ['to', formatPoint(hit.to)],
        ['at once', hit.depth.toFixed(2) + ' on average'],
        ['why', 'the file has a size; queuescope timeline --budget makes it larger']] };
    }
    if (hit.kind === 'step') return this.describeStep(hit.segment);
    if (hit.kind === 'holding') {
      const { holding } = hit;
      return { title: 'Lock held', row: -1, facts: [
        ['lock', trace.lockLabel(holding.lock)], ['thread', trace.threadLabel(holding.thread)],
        ['code', code(holding.code)],
        ['asked at', formatPoint(holding.requested)], ['waited', formatDuration(holding.begin - holding.requested)],
        ['held', formatDuration(holding.end - holding.begin)]] };
    }
    if (hit.kind === 'wait') {
      const { wait } = hit;
      return { title: WAIT_TITLES[wait.kind], row: -1, facts: [
        ['for', trace.waitObjectLabel(wait)], ['thread', trace.threadLabel(wait.thread)], ['code', code(wait.code)],
        ['from', formatPoint(wait.begin)], ['waited', formatDuration(wait.end - wait.begin)],
        wait.flags & 1 ? ['result', 'timed out'] : null,
        wait.signaller >= 0 ? ['ended by', trace.threadLabel(wait.signaller)
          + (wait.signalCode > 0 ? `, at ${code(wait.signalCode)}` : '')] : null] };
    }
    if (hit.kind === 'signpost') {
      const { signpost } = hit;
      return { title: printable(meta.strings[signpost.name]), row: -1, facts: [
        signpost.message ? ['message', printable(meta.strings[signpost.message])] : null,
        ['thread', trace.threadLabel(signpost.thread)], ['code', code(signpost.code)],
        ['at', formatPoint(signpost.begin)],
        signpost.isEvent ? null : ['took', formatDuration(signpost.end - signpost.begin)]] };
    }
    const { mark } = hit, source = mark.source >= 0 ? meta.sources[mark.source] : null;
    const queue = trace.queueOfMark(mark);
    return { title: MARK_KINDS[mark.kind] || 'change', row: -1, facts: [
      source ? ['source', `${source.type} ${source.handle || ''}`] : null,
      queue >= 0 ? ['queue', trace.queueLabel(queue)] : null,
      ['thread', trace.threadLabel(mark.thread)], ['code', code(mark.code)], ['at', formatPoint(mark.time)],
      mark.activated >= 0 ? ['activated at', formatPoint(mark.activated)] : null,
      mark.activationCode > 0 ? ['activated by', code(mark.activationCode)] : null] };
  }

  describePending({ queue, code, enqueuer, parent, enqueued, until, flags }) {
    const { trace } = this, isCancelled = flags & 2;
    return { title: isCancelled ? 'Cancelled before it began' : 'Never began', row: -1, facts: [
      ['queue', trace.queueLabel(queue)], ['code', printable(trace.meta.codes[code] || 'unknown code')],
      flags & 1 ? ['kind', 'barrier'] : null,
      enqueuer >= 0 ? ['enqueued by', trace.threadLabel(enqueuer)] : null,
      parent >= 0 ? ['in', ItemStory.title(trace, parent)] : null, ['at', formatPoint(enqueued)],
      ['waited', formatDuration(until - enqueued) + (isCancelled ? '' : ', when the trace ended')]] };
  }

  describeSlice({ thread, processor, from, to, ending }) {
    const { trace } = this, row = trace.runningOn(thread, from);
    return { title: `On processor ${processor}`, row: -1, facts: [
      ['thread', trace.threadLabel(thread)], row >= 0 ? ['in', ItemStory.title(trace, row)] : null,
      row >= 0 ? ['code', printable(trace.codeOf(row))] : null,
      ['from', formatPoint(from)], ['for', formatDuration(to - from)],
      ending <= BLOCKED ? ['then', ending === PREEMPTED ? 'pre-empted: it could have gone on' : 'waited'] : null] };
  }

  /** A step of the run's critical path. */
  describeStep({ kind, code, queue, thread, from, to }) {
    const { trace } = this;
    return { title: `Critical path: ${SEGMENT_TITLES[kind] || kind}`, row: -1, facts: [
      code > 0 ? ['code', printable(trace.meta.codes[code])] : null, queue >= 0 ? ['queue', trace.queueLabel(queue)] : null,
      thread >= 0 ? ['thread', trace.threadLabel(thread)] : null, ['from', formatPoint(from)],
      ['took', formatDuration(to - from)]] };
  }

  describeWorkers({ time, workers }) {
    const { count, alive, active, running, blocked } = workers;
    return { title: 'Workers', row: -1, facts: [
      ['at', formatPoint(time)], ['exist', formatCount(alive.at(time))],
      active ? ['not parked', formatCount(active.at(time))] : null, ['run an item', formatCount(running.at(time))],
      ['blocked in one', formatCount(blocked.at(time))], count ? ['processors', formatCount(count)] : null] };
  }

  describeItem(row) {
    const { trace } = this, { items } = trace, shape = trace.shapeOf(row);
    const wait = items.begin[row] - items.enqueued[row], by = items.handedOverBy.get(row);
    const source = shape.source >= 0 ? trace.meta.sources[shape.source] : null;
    return { title: ItemStory.title(trace, row), row, facts: [
      ['code', printable(trace.codeOf(row))],
      source ? ['source', `${source.type} ${source.handle || ''}`] : null,
      ['ran on', trace.threadLabel(items.thread[row])],
      wait > 0 ? ['enqueued at', formatPoint(items.enqueued[row])] : null, ['began at', formatPoint(items.begin[row])],
      wait > 0 ? ['waited', formatDuration(wait)] : null,
      ['ran for', formatDuration(items.end[row] - items.begin[row])
        + (shape.flags & UNFINISHED ? ' (the trace ended first)' : '')],
      by !== undefined ? ['handed over by', trace.threadLabel(by)] : null,
      ['QoS', qosName(shape.qos)]] };
  }
}

function qosName(value) {
  return { 0: 'unspecified', 5: 'maintenance', 9: 'background', 17: 'utility', 21: 'default', 25: 'user-initiated',
    33: 'user-interactive' }[value] || String(value);
}

export class Tooltip {
  constructor(container, details) {
    this.container = container;
    this.details = details;
    this.shown = null;
  }

  show(hit, x, y, bounds) {
    const { title, facts } = this.details.describe(hit);
    this.container.replaceChildren(element('strong', {}, title), rowsOf(facts.filter((fact) => fact).slice(0, 8)));
    this.container.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = this.container;
    this.container.style.left = Math.max(4, x + 16 + width > bounds.width ? x - width - 12 : x + 16) + 'px';
    this.container.style.top = Math.max(4, Math.min(y + 16, bounds.height - height - 4)) + 'px';
  }

  hide() { this.container.hidden = true; }
}
