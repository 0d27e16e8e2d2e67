// On top of the pinned rows: what was found, in a sentence, how to see it, and brackets over where it is seen. Of two
// traces, what has become of their findings.

import { calloutsOf } from './callouts.js';
import { BOLD, FONT } from '../picture/painter.js';
import { formatCount, formatDuration, plural } from '../units.js';

const BANNER_TEXT = 30, HEADLINE_HEIGHT = 18, HINT_HEIGHT = 16, CALLOUT_HEIGHT = 24, FLAG_HEIGHT = 14;
const MOST_GROUND = 0.4;
/** A sentence takes two lines of a wide picture, and as much room of a narrow one. */
const LINES = 2, LINES_WIDTH = 1050;
const HEADLINE = '600 13.5px system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';

export class Banner {
  constructor({ title, note, hint, cost = '', callouts = [], evidence = [], isFoldable = true }) {
    this.title = title;
    this.note = note;
    this.hint = hint;
    this.cost = cost;
    this.callouts = callouts;
    this.evidence = evidence;
    this.isFoldable = isFoldable;
    this.key = 'pinned';
    this.isSection = this.isPinned = true;
    this.indent = 0;
    this.lines = [this.note];
    this.hintLines = [this.hint];
  }

  /** What was found. `focus` is what focusOf says of it. */
  static ofFinding(/** @type {Trace} */ trace, finding, focus, brief) {
    const cost = finding.cost > 0 ? `${formatDuration(finding.cost)} lost` : '';
    return new Banner({ title: `${finding.id} · ${finding.detector}`, note: brief.text(finding.summary),
      hint: READING_HINTS[finding.detector] || ANY_HINT, callouts: calloutsOf(trace, finding, focus),
      cost: finding.change === 'gone' ? `${cost} before, gone after`.trim() : cost, evidence: finding.evidence });
  }

  /** What has become of two traces' findings; null for one trace. */
  static ofComparison(/** @type {Trace} */ trace) {
    if (trace.sides.length < 2) return null;
    const count = (change) => trace.findings.filter((finding) => finding.change === change).length;
    const are = (number, what) => `${number === 0 ? 'none' : formatCount(number)} ${number === 1 || number === 0 ? 'is' : 'are'} ${what}`;
    const worse = count('worse') ? `${are(count('worse'), 'worse')}, ` : '';
    const size = (side) => `${formatDuration(side.duration)}, ${plural(side.items, 'item')}, `
      + plural(side.threads.to - side.threads.from, 'thread');
    return new Banner({ title: 'Before and after', isFoldable: false,
      note: `Of the findings ${are(count('gone'), 'gone')}, ${are(count('same'), 'still there')}, ${worse}`
        + `${are(count('new'), 'new')}.`,
      hint: trace.sides.map((side) => `${side.name}: ${size(side)}.`).join('  ') });
  }

  /** Breaks the sentences for the width that there is. */
  layout(/** @type {Painter} */ p) {
    const width = p.width - 30, most = Math.max(LINES, Math.ceil(LINES * LINES_WIDTH / Math.max(1, p.width)));
    this.lines = p.lines(this.note, width, HEADLINE, most);
    this.hintLines = p.lines(this.hint, width, FONT, most);
  }

  get textHeight() {
    return BANNER_TEXT + this.lines.length * HEADLINE_HEIGHT + this.hintLines.length * HINT_HEIGHT;
  }
  get height() {
    return this.textHeight + (this.callouts.length ? CALLOUT_HEIGHT : 0) + (this.evidence.length ? FLAG_HEIGHT : 0);
  }

  /** The sentences, over whatever the rows have drawn there. */
  drawLabel(/** @type {Painter} */ p, y, fold) {
    const c = p.colours, right = p.width - 18, title = (this.isFoldable ? fold : '') + this.title;
    p.rect(0, y, p.width, this.textHeight, c.band);
    p.rect(0, y, 3, this.height, c.focus);
    p.text(title, 12, y + 15, c.focus, { font: BOLD });
    if (this.cost) p.text(this.cost, right, y + 15, c.strong, { font: BOLD, align: 'right' });
    this.lines.forEach((line, number) =>
      p.text(line, 12, y + 34 + number * HEADLINE_HEIGHT, c.strong, { font: HEADLINE, width: right - 12 }));
    const hintsAt = y + this.textHeight - 11 - (this.hintLines.length - 1) * HINT_HEIGHT;
    this.hintLines.forEach((line, number) =>
      p.text(line, 12, hintsAt + number * HINT_HEIGHT, c.text, { width: right - 12 }));
  }

  /** A ground under the rows for what would be overlooked without; a tint would cost the bars their contrast. */
  drawGround(/** @type {Painter} */ p, y, bottom) {
    const { view } = p, last = view.left + view.width;
    for (const { from, to } of this.callouts) {
      const left = Math.max(view.left, view.x(from)), right = Math.min(last, view.x(to));
      if (right < left || right - left > view.width * MOST_GROUND) continue;
      const top = y + this.height, height = Math.max(0, bottom - top);
      p.rect(left, top, Math.max(1, right - left), height, p.colours.paper);
      for (const x of [left - 1, right]) p.rect(x, top, 1, height, p.colours.blocked);
    }
  }

  /**
   * Numbered flags where the evidence is, and brackets over what is worth a look.
   * @param y where the banner is
   * @param top where flags are when the banner is scrolled away
   */
  drawPlaces(/** @type {Painter} */ p, y, top) {
    this.drawFlags(p, Math.max(top, y + this.height - FLAG_HEIGHT), p.height);
    for (const callout of this.callouts) this.drawCallout(p, callout, y + this.textHeight);
  }

  drawFlags(/** @type {Painter} */ p, y, bottom) {
    const { view } = p;
    let last = -Infinity;
    this.evidence.forEach(({ time }, number) => {
      const x = Math.round(view.x(time));
      if (x < view.left || x > view.left + view.width) return;
      p.ctx.globalAlpha = 0.35;
      p.rect(x, y, 1, bottom - y, p.colours.focus);
      p.ctx.globalAlpha = 1;
      if (x - last < 15) return;
      last = x;
      p.rect(x, y, 14, 12, p.colours.focus);
      p.text(String(number + 1), x + 7, y + 6.5, p.colours.paper, { align: 'center' });
    });
  }

  drawCallout(/** @type {Painter} */ p, { from, to, text }, y) {
    const { view } = p, c = p.colours, last = view.left + view.width;
    if (view.x(to) < view.left || view.x(from) > last) return;
    const left = Math.round(Math.max(view.left, view.x(from))), right = Math.round(Math.min(last, view.x(to)));
    const width = p.textWidth(text, BOLD) + 14, middle = y + CALLOUT_HEIGHT / 2;
    // Over the bracket when it fits in there, else beside it.
    const isWide = right - left >= width + 16;
    // Where there is no room on either side, up to the edge: the end of the text tells as much as its begin.
    const beside = right + 6 + width <= last ? right + 6 : left - 6 - width >= view.left ? left - 6 - width
      : Math.max(12, last - width);
    const at = isWide ? (left + right - width) / 2 : beside;
    p.rect(left, middle - 0.5, Math.max(1, right - left), 2, c.blocked);
    // No end where the view cuts it off.
    if (view.x(from) >= view.left) p.rect(left - 1, middle - 6, 2, 13, c.blocked);
    if (view.x(to) <= last) p.rect(right - 1, middle - 6, 2, 13, c.blocked);
    if (!isWide) p.rect(Math.min(right, at + width), middle - 0.5, 8, 2, c.blocked);
    p.rect(at, y + 3, width, CALLOUT_HEIGHT - 6, c.strong);
    p.text(text, at + 7, middle + 0.5, c.paper, { font: BOLD });
  }
}

/** What to look at, for each kind of finding: for people who see such a picture for the first time. */
const READING_HINTS = {
  'staircase-contention': 'Solid: the thread holds it. Hatched: the thread is blocked for it. '
    + 'Each arrow is a hand-off, in which nobody works.',
  'lock-contention': 'Solid: the thread holds the lock. Hatched: it is blocked for it.',
  'overlapping-handlers': 'Amber, above the dashed line: several run at once, each on a thread of its own that had to '
    + 'be woken. A colour is a thread.',
  'thread-explosion': 'The dashed line is the number of processors. Workers above it only take turns on them.',
  'queue-forest': 'The dashed line is the number of processors. Each queue that has work takes a worker of its own.',
  'pool-starvation': 'Hatched up to the dashed line: all workers that the pool may run are blocked. Amber: items wait.',
  'pool-deadlock': 'Hatched: all workers of the pool are blocked. Vermilion over the queue: items that no worker is '
    + 'left for.',
  'readers-writer': 'A bar with bold ends is a barrier: it runs alone. Hatched and amber: who waits for it, or it for '
    + 'them.',
  'barrier-on-global': 'A global queue ignores barriers: what was to run alone runs beside others.',
  'main-queue-hang': 'One bar holds the main queue all that time. Hatched: it does not even work, it waits.',
  'long-sync-wait': 'Hatched: the thread is blocked in sync until the queue has run what was there before.',
  'priority-inversion': 'Hatched: the urgent thread is blocked, for work of a lower quality of service.',
  'uneven-concurrent-perform': 'Each bar is an iteration. Where a thread has none, its processor has nothing to do.',
  'bouncing-work': 'A colour is a thread: the items of one chain go from thread to thread, and each change costs a '
    + 'wake-up.',
  'work-too-small': 'Amber: an item waits for a thread. The bar after it is all that it does.',
  'work-too-large': 'One bar keeps the queue to itself; all that comes later waits until it ends.',
  'item-never-ran': 'Vermilion over a queue: what was enqueued there and never began.',
  'late-timer': 'What has the queue when the timer is due makes it late. The flags are where it ran at last.',
  'deadlock': 'Hatched to the end of the trace: a wait that nobody is left to end.',
  'lock-order-inversion': 'Two locks, taken in one order here and in the other there: at the wrong moment, both wait.',
  'mutation-after-activation': 'From the tick, the activation, a line leads to the diamond: the change that came too '
    + 'late.',
  'retarget-after-activation': 'From the tick, the activation, a line leads to the diamond: the retarget that came too '
    + 'late.',
};

const ANY_HINT = 'The numbered flags are the evidence; E goes from one to the next.';
