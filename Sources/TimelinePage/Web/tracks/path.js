// The critical path of the run: the chain of causes that the analysis followed backwards from the end. Solid where an
// item ran, in the colour of its thread; hatched for starts, wake-ups, hand-offs and other waits.

import { intervalAt, itemHit } from '../picture/hits.js';
import { addTrackKind, Track } from '../picture/track.js';
import { SEGMENT_TITLES } from '../trace/causal_path.js';
import { Intervals } from '../trace/intervals.js';
import { STEP_KINDS } from '../trace/vocabulary.js';
import { THREADS } from './thread.js';
import { formatCount, formatDuration, formatPercent, formatPoint } from '../units.js';

/** The kinds of segments without a known cause. */
const UNKNOWN_KINDS = new Set(STEP_KINDS.filter((kind) => kind.isUnknown).map((kind) => kind.name));
const PATH_HEIGHT = 14;

class PathTrack extends Track {
  constructor(/** @type {Trace} */ trace, /** @type {Side} */ side, /** @type {CriticalPath} */ path) {
    const { segments, totals, omitted, begin, end } = path;
    super(trace, 'path' + side.name, 'Critical path');
    this.segments = segments;
    const ran = totals.reduce((sum, total) => sum + (total.kind === 'run' ? total.time : 0), 0);
    const known = totals.reduce((sum, total) => sum + (UNKNOWN_KINDS.has(total.kind) ? 0 : total.time), 0);
    const share = (/** @type {number} */ time) => formatPercent(end > begin ? time / (end - begin) : 0);
    this.subtitle = `${share(ran)} running items · ${share(known)} explained`
      + (omitted > 0 ? ` · last ${formatCount(segments.length)} steps drawn` : '');
    const intervals = (/** @type {PathSegment[]} */ list) =>
      Intervals.of(list, ({ from }) => from, ({ to }) => to, ({ row }) => row);
    this.intervals = intervals(segments);
    this.runs = intervals(segments.filter((segment) => segment.kind === 'run'));
  }

  draw(/** @type {Painter} */ p, /** @type {number} */ y) {
    const { segments, intervals, trace } = this;
    if (!p.isDetailed(intervals)) {
      p.area(this.runs, { base: y + 8 + PATH_HEIGHT, height: PATH_HEIGHT, full: 1, fill: p.colours.run });
      return;
    }
    const fill = (/** @type {PathSegment} */ { kind, thread }) => {
      const colour = thread >= 0 ? p.palette.thread(thread) : p.colours.faint;
      return kind === 'run' ? colour : kind === 'outside' ? p.colours.dim : p.hatch(colour);
    };
    p.bars(intervals, { y: y + 8, height: PATH_HEIGHT, fill: (i) => fill(segments[i]), row: (i) => segments[i].row,
      label: (i) => segments[i].kind === 'run' && segments[i].row >= 0 ? trace.labels.bar(segments[i].row) : '' });
  }

  hit(/** @type {number} */ x, /** @type {number} */ dy, /** @type {Viewport} */ view) {
    const at = intervalAt(this.intervals, view, x);
    if (at < 0) return null;
    const segment = this.segments[at];
    return segment.kind === 'run' && segment.row >= 0 ? itemHit(this.trace, segment.row) : stepHit(this.trace, segment);
  }
}

function stepHit(/** @type {Trace} */ trace,
  /** @type {CriticalPath['segments'][number]} */ { kind, code, queue, thread, from, to }) {
  const title = `Critical path: ${SEGMENT_TITLES[kind] || kind}`;
  return { row: -1, extent: [from, to], describe: () => ({ title, facts: [
    code > 0 ? ['code', trace.labels.code(code)] : null, queue >= 0 ? ['queue', trace.labels.queue(queue)] : null,
    thread >= 0 ? ['thread', trace.labels.thread(thread)] : null, ['from', formatPoint(from)],
    ['took', formatDuration(to - from)]] }) };
}

addTrackKind({
  section: THREADS,
  place: 30,
  tracks: (list, side) => {
    const { name, criticalPath: path } = side;
    return !path || !path.segments.length ? []
      : list.shown([list.once('path' + name, () => new PathTrack(list.trace, side, path))]);
  },
  legend: [['path', 'causal path of an item: a band where items ran, dots where the next item had to wait']],
});
