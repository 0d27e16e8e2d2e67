// What the whole run went by with: the chain of causes that the analyser followed backwards from the run's end. Solid where
// an item ran, in the colour of its thread; hatched where something had to start, wake or be handed over.

const PATH_TITLES = {
  run: 'an item ran', outside: 'the program ran outside of items', start: 'an item was to start on a free queue',
  queued: 'the next item of a free queue was to begin', handoff: 'a queue was handed over', wake: 'a woken thread was to run',
  'not due': 'the due time had not come', wait: 'a wait with an unknown cause', before: 'before the first known cause',
};
const PATH_HEIGHT = 14;

class PathTrack {
  constructor(trace, side) {
    const { segments, totals, omitted, begin, end } = side.criticalPath;
    this.trace = trace;
    this.segments = segments;
    this.key = 'path' + side.name;
    this.title = 'Critical path';
    const ran = totals.reduce((sum, total) => sum + (total.kind === 'run' || total.kind === 'outside' ? total.time : 0), 0);
    this.subtitle = `${formatPercent(end > begin ? ran / (end - begin) : 0)} of it ran`
      + (omitted > 0 ? `, the last ${formatCount(segments.length)} steps` : '');
    this.load = 0;
    this.indent = 0;
    this.height = PATH_HEIGHT + 16;
    this.intervals = new Intervals(Float64Array.from(segments, (segment) => segment.from),
      Float64Array.from(segments, (segment) => segment.to), Int32Array.from(segments, (segment) => segment.row));
  }

  draw(p, y) {
    const { segments, intervals, trace } = this;
    if (!p.isDetailed(intervals)) {
      p.area(intervals, { base: y + 8 + PATH_HEIGHT, height: PATH_HEIGHT, full: 1, fill: p.colours.run });
      return;
    }
    const fill = ({ kind, thread }) => {
      const colour = thread >= 0 ? p.palette.thread(thread) : p.colours.faint;
      return kind === 'run' ? colour : kind === 'outside' ? p.colours.dim : p.hatch(colour);
    };
    p.bars(intervals, { y: y + 8, height: PATH_HEIGHT, fill: (i) => fill(segments[i]), row: (i) => segments[i].row,
      label: (i) => segments[i].kind === 'run' && segments[i].row >= 0 ? trace.barLabel(segments[i].row) : '' });
  }

  hit(x, dy, view) {
    const at = intervalAt(this.intervals, view, x);
    if (at < 0) return null;
    const segment = this.segments[at];
    return segment.kind === 'run' && segment.row >= 0 ? { kind: 'item', row: segment.row } : { kind: 'step', segment };
  }
}
