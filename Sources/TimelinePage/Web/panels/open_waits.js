// The list of the waits that were open when the trace ended, as in the report. A click selects the wait in its row.

import { element, linkTo } from './page_element.js';
import { CANCELLED } from '../trace/decoder.js';
import { blockedHit } from '../picture/hits.js';
import { pendingHit } from '../tracks/queue.js';
import { formatDuration, plural } from '../units.js';

const WAITERS_SHOWN = 4;

export class OpenWaits {
  constructor(/** @type {Trace} */ trace, /** @type {Page} */ page) {
    this.trace = trace;
    this.page = page;
  }

  /** The lists of all traces of the page; empty when nothing waited. */
  parts() {
    return this.trace.sides.filter(({ openWaits }) => openWaits.rows.length).map((side) => this.list(side));
  }

  list(/** @type {Side} */ side) {
    const { rows, omitted } = side.openWaits;
    return element('section', { className: 'open-waits' },
      element('h2', {}, side.name ? `${side.name}: still waiting` : 'Still waiting',
        element('span', { className: 'hint' }, ' when the trace ended, cycles first, then the longest')),
      element('ul', {}, rows.map((row) => this.row(side, row))),
      omitted ? element('p', { className: 'calm' }, `and ${plural(omitted, 'wait')} more`) : '');
  }

  row(/** @type {Side} */ side, /** @type {OpenWaitRow} */ { cause, waiters, count, cycle, inVerdict }) {
    const shown = waiters.slice(0, WAITERS_SHOWN), { brief } = this.page;
    return element('li', { className: inVerdict ? 'verdict' : '' },
      shown.map((waiter, number) => [number ? ', ' : '',
        linkTo(brief.text(waiter.name), () => this.visit(side, waiter))]),
      count > shown.length ? ` and ${count - shown.length} more` : '',
      cycle ? element('span', { className: 'cost' }, ` in cycle ${cycle}`) : '',
      element('span', { className: 'cost' }, ' ' + formatDuration(waiters[0].length)),
      element('span', { className: 'summary' }, brief.nodes(cause)));
  }

  /** Selects the wait, or shows its row and its begin when the page has no details of it. */
  visit(/** @type {Side} */ side, /** @type {OpenWaitRow['waiters'][number]} */ { thread, task, queue, begin }) {
    const { trace, page } = this;
    if (task) {
      const position = trace.tasks.numbered(task, trace.sides.indexOf(side));
      if (position >= 0) page.tasks.select(position);
      else page.notify(`Task ${task} was left out.`);
      return;
    }
    const hit = thread >= 0 ? this.blocked(thread, begin) : this.pending(queue);
    if (hit) page.visitInterval(hit); else page.goTo(begin);
    if (thread >= 0) page.revealThread(thread); else page.revealQueue(queue);
  }

  blocked(/** @type {number} */ thread, /** @type {number} */ begin) {
    const blocked = this.trace.blocked(thread), at = blocked.begins.lastIndexOf(begin);
    return at < 0 ? null : blockedHit(this.trace, blocked.causes[at]);
  }

  /** The first item that had not begun. */
  pending(/** @type {number} */ queue) {
    const first = this.trace.pendingOfQueue(queue).find(({ flags }) => !(flags & CANCELLED));
    return first ? pendingHit(this.trace, first) : null;
  }
}
