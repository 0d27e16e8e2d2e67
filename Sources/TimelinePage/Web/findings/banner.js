// The banner above the pinned rows: the finding's sentence, a hint for reading the picture, and brackets over the
// intervals that show the finding. With two traces and no chosen finding, it counts the findings that changed.

import { calloutsOf } from './callouts.js';
import { BOLD, FONT } from '../picture/painter.js';
import { formatCount, formatDuration, plural } from '../units.js';

const BANNER_TEXT = 30, HEADLINE_HEIGHT = 18, HINT_HEIGHT = 16, CALLOUT_HEIGHT = 24, FLAG_HEIGHT = 14;
const MOST_GROUND = 0.4;
/** A sentence has two lines in a picture of `LINES_WIDTH` pixels or more. A narrower picture has every word, up to
 * `MOST_LINES` lines. */
const LINES = 2, LINES_WIDTH = 1050, MOST_LINES = 12;
const HEADLINE = '600 13.5px system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';

/**
 * @typedef {object} BannerContent
 * @property {string} title
 * @property {string} note the sentence
 * @property {string} hint
 * @property {string} [cost]
 * @property {Callout[]} [callouts]
 * @property {Proof[]} [evidence]
 * @property {boolean} [isFoldable]
 */

export class Banner {
  constructor(/** @type {BannerContent} */ { title, note, hint, cost = '', callouts = [], evidence = [],
    isFoldable = true }) {
    this.title = title;
    this.note = note;
    this.hint = hint;
    this.cost = cost;
    this.callouts = callouts;
    this.evidence = evidence;
    this.isFoldable = isFoldable;
    this.key = 'pinned';
    /** @type {true} */
    this.isSection = true;
    this.startsFolded = false;
    this.lines = [this.note];
    this.hintLines = [this.hint];
  }

  /** The banner of a finding. `focus` is the result of `focusOf`. */
  static ofFinding(/** @type {Trace} */ trace, /** @type {Finding} */ finding, /** @type {Focus} */ focus,
    /** @type {BriefText} */ brief) {
    const cost = finding.cost > 0 ? `${formatDuration(finding.cost)} lost` : '';
    return new Banner({ title: `${finding.id} · ${finding.detector}`, note: brief.text(finding.summary),
      hint: finding.focus.hint, callouts: calloutsOf(trace, finding, focus),
      cost: finding.change === 'gone' ? `${cost} before, gone after`.trim() : cost, evidence: finding.evidence });
  }

  /** The banner that counts the changes between two traces; null for a single trace. */
  static ofComparison(/** @type {Trace} */ trace) {
    if (trace.sides.length < 2) return null;
    const count = (/** @type {string} */ change) =>
      trace.findings.filter((finding) => finding.change === change).length;
    /** @type {(number: number, what: string) => string} */
    const are = (number, what) => `${number ? formatCount(number) : 'none'} ${number > 1 ? 'are' : 'is'} ${what}`;
    const worse = count('worse') ? `${are(count('worse'), 'worse')}, ` : '';
    const size = (/** @type {Side} */ side) => `${formatDuration(side.duration)}, ${plural(side.items, 'item')}, `
      + plural(side.threads.to - side.threads.from, 'thread');
    return new Banner({ title: 'Before and after', isFoldable: false,
      note: `Findings: ${are(count('gone'), 'gone')}, ${are(count('same'), 'still there')}, ${worse}`
        + `${are(count('new'), 'new')}.`,
      hint: trace.sides.map((side) => `${side.name}: ${size(side)}.`).join('  ') });
  }

  /** Breaks the sentences into lines for the width of the canvas. */
  layout(/** @type {Painter} */ p) {
    const width = p.width - 30, most = p.width < LINES_WIDTH ? MOST_LINES : LINES;
    this.lines = p.lines(this.note, width, HEADLINE, most);
    this.hintLines = p.lines(this.hint, width, FONT, most);
  }

  get textHeight() {
    return BANNER_TEXT + this.lines.length * HEADLINE_HEIGHT + this.hintLines.length * HINT_HEIGHT;
  }
  get height() {
    return this.textHeight + (this.callouts.length ? CALLOUT_HEIGHT : 0) + (this.evidence.length ? FLAG_HEIGHT : 0);
  }

  /** Draws the sentences over the rows at this place. */
  drawLabel(/** @type {Painter} */ p, /** @type {number} */ y, /** @type {string} */ fold) {
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

  /**
   * Draws a plain background and two edges under the rows of each callout that is narrow enough to be overlooked. A
   * tint would reduce the contrast of the bars.
   */
  drawGround(/** @type {Painter} */ p, /** @type {number} */ y, /** @type {number} */ bottom) {
    const { view } = p;
    for (const { from, to } of this.callouts) {
      const [left, right] = view.clipped(from, to);
      if (right < left || right - left > view.width * MOST_GROUND) continue;
      const top = y + this.height, height = Math.max(0, bottom - top);
      p.rect(left, top, Math.max(1, right - left), height, p.colours.paper);
      for (const x of [left - 1, right]) p.rect(x, top, 1, height, p.colours.blocked);
    }
  }

  /**
   * Draws numbered flags at the evidence, and brackets over the callouts.
   * @param y the top of the banner
   * @param top the top of the flags when the banner is scrolled out of view
   */
  drawPlaces(/** @type {Painter} */ p, /** @type {number} */ y, /** @type {number} */ top) {
    this.drawFlags(p, Math.max(top, y + this.height - FLAG_HEIGHT), p.height);
    for (const callout of this.callouts) this.drawCallout(p, callout, y + this.textHeight);
  }

  drawFlags(/** @type {Painter} */ p, /** @type {number} */ y, /** @type {number} */ bottom) {
    const { view } = p;
    let last = -Infinity;
    this.evidence.forEach(({ time }, number) => {
      const x = Math.round(view.x(time));
      if (x < view.left || x > view.right) return;
      p.faded(0.35, () => p.rect(x, y, 1, bottom - y, p.colours.focus));
      if (x - last < 15) return;
      last = x;
      p.rect(x, y, 14, 12, p.colours.focus);
      p.text(String(number + 1), x + 7, y + 6.5, p.colours.paper, { align: 'center' });
    });
  }

  drawCallout(/** @type {Painter} */ p, /** @type {Callout} */ { from, to, text }, /** @type {number} */ y) {
    const { view } = p, c = p.colours, last = view.right;
    if (view.x(to) < view.left || view.x(from) > last) return;
    const [left, right] = view.clipped(from, to).map(Math.round);
    const width = p.textWidth(text, BOLD) + 14, middle = y + CALLOUT_HEIGHT / 2;
    // The text is over the bracket when it fits, otherwise next to it.
    const isWide = right - left >= width + 16;
    // Without room on either side the text ends at the right edge, so that all of it is visible.
    const beside = right + 6 + width <= last ? right + 6 : left - 6 - width >= view.left ? left - 6 - width
      : Math.max(12, last - width);
    const at = isWide ? (left + right - width) / 2 : beside;
    p.rect(left, middle - 0.5, Math.max(1, right - left), 2, c.blocked);
    // No end mark where the view cuts the bracket.
    if (view.x(from) >= view.left) p.rect(left - 1, middle - 6, 2, 13, c.blocked);
    if (view.x(to) <= last) p.rect(right - 1, middle - 6, 2, 13, c.blocked);
    if (!isWide) p.rect(Math.min(right, at + width), middle - 0.5, 8, 2, c.blocked);
    p.rect(at, y + 3, width, CALLOUT_HEIGHT - 6, c.strong);
    p.text(text, at + 7, middle + 0.5, c.paper, { font: BOLD });
  }
}
