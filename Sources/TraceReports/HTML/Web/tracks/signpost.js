// Signposts of one name: intervals side by side where they overlap, events as diamonds.

import { intervalAt } from '../picture/painter.js';
import { Intervals } from '../trace/intervals.js';
import { plural, printable } from '../units.js';

export class SignpostTrack {
  constructor(trace, name, signposts) {
    this.trace = trace;
    this.key = 'signpost' + name;
    this.title = printable(trace.meta.strings[name]);
    this.signposts = signposts;
    this.subtitle = plural(signposts.length, 'signpost');
    this.load = 0;
    this.indent = 0;
    this.intervals = new Intervals(Float64Array.from(signposts, (s) => s.begin),
      Float64Array.from(signposts, (s) => s.end));
    this.intervals.packed(4);
  }

  static all(trace) {
    const byName = new Map();
    for (const signpost of trace.signposts) {
      if (!byName.has(signpost.name)) byName.set(signpost.name, []);
      byName.get(signpost.name).push(signpost);
    }
    return [...byName].map(([name, list]) => new SignpostTrack(trace, name, list));
  }

  get height() { return 10 + this.intervals.lanes.count * 12; }

  draw(p, y) {
    const { signposts, intervals } = this;
    if (!p.isDetailed(intervals)) {
      const height = this.height - 10;
      p.area(intervals, { base: y + 5 + height, height, full: intervals.lanes.count, fill: p.colours.run });
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

  hit(x, dy, view) {
    let at = intervalAt(this.intervals, view, x, Math.floor((dy - 5) / 12));
    if (at < 0) at = intervalAt(this.intervals, view, x);
    return at < 0 ? null : { kind: 'signpost', signpost: this.signposts[at] };
  }
}
