// The row of the signposts of one name: intervals on several lanes where they overlap, events as diamonds.

import { intervalAt } from '../picture/hits.js';
import { addTrackKind, Track } from '../picture/track.js';
import { groupBy } from '../trace/columns.js';
import { Intervals } from '../trace/intervals.js';
import { formatDuration, formatPoint, plural, printable } from '../units.js';

// The number of lanes. A program that serves concurrent requests has about as many overlapping signposts.
const MOST_LANES = 12;

class SignpostTrack extends Track {
  constructor(/** @type {Trace} */ trace, /** @type {number} */ name, /** @type {Signpost[]} */ signposts) {
    super(trace, 'signpost' + name, printable(trace.meta.strings[name]), plural(signposts.length, 'signpost'));
    this.signposts = signposts;
    this.intervals = Intervals.of(signposts, ({ begin }) => begin, ({ end }) => end).packed(MOST_LANES);
  }

  get lanes() { return this.intervals.lanes?.count ?? 1; }
  get height() { return 10 + this.lanes * 12; }

  draw(/** @type {Painter} */ p, /** @type {number} */ y) {
    const { signposts, intervals } = this;
    if (!p.isDetailed(intervals)) {
      const height = this.height - 10;
      p.area(intervals, { base: y + 5 + height, height, full: this.lanes, fill: p.colours.run });
      return;
    }
    p.bars(intervals, {
      y: y + 5, height: 11, laneHeight: 12, fill: (i) => signposts[i].isEvent ? 'transparent'
        : p.palette.thread(signposts[i].thread),
      label: (i) => printable(this.trace.meta.strings[signposts[i].message]) || this.title,
    });
    const [first, last] = intervals.range(p.view.from, p.view.to);
    for (let i = first; i < last; i++) {
      if (signposts[i].isEvent) p.diamond(p.view.x(signposts[i].begin), y + 10, 5, p.colours.focus);
    }
  }

  hit(/** @type {number} */ x, /** @type {number} */ dy, /** @type {Viewport} */ view) {
    const at = intervalAt(this.intervals, view, x, Math.floor((dy - 5) / 12));
    return at < 0 ? null : signpostHit(this.trace, this.signposts[at]);
  }
}

/** The hit of a signpost. */
export function signpostHit(/** @type {Trace} */ trace,
  /** @type {Signpost} */ { name, message, thread, endThread, code, begin, end, isEvent }) {
  const text = (/** @type {number} */ index) => printable(trace.meta.strings[index]);
  return { row: -1, extent: [begin, Math.max(end, begin + 1000)], describe: () => ({ title: text(name), facts: [
    message ? ['message', text(message)] : null,
    ['thread', trace.labels.thread(thread)], ['code', trace.labels.code(code)], ['at', formatPoint(begin)],
    isEvent ? null : ['took', formatDuration(end - begin)],
    isEvent || endThread === thread ? null : ['ended on', trace.labels.thread(endThread)]] }) };
}

addTrackKind({
  section: { key: 'signposts', title: 'Signposts' },
  place: 50,
  tracks: (list, side) => list.shown(list.once('signposts' + side.name, () => {
    const own = list.trace.signposts.filter((signpost) => side.hasSignpost(signpost));
    return [...groupBy(own, ({ name }) => name)].map(([name, signposts]) =>
      new SignpostTrack(list.trace, name, signposts));
  })),
});
