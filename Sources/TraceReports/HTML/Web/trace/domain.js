// A lock or an exclusion queue: its holds in the order of the grant, and per thread what it held and how long it was
// blocked.

import { gather } from './columns.js';
import { Intervals } from './intervals.js';

export class Domain {
  /**
   * @param begins,ends,requested when it was granted, given back and asked for, in the order of the grant
   * @param holder,asker threads: who held it, and who was blocked for it (they differ when a sync runs elsewhere)
   * @param hitOf what stands behind a position: { kind, … }
   */
  constructor(begins, ends, requested, holder, asker, hitOf) {
    Object.assign(this, { requested, holder, asker, hitOf });
    this.count = begins.length;
    this.all = new Intervals(begins, ends);
    this.blocked = 0;
    this.contended = 0;
    const lanes = new Map();
    const lane = (thread) => {
      if (!lanes.has(thread)) lanes.set(thread, { thread, blocked: 0, holds: [], waits: [] });
      return lanes.get(thread);
    };
    for (let i = 0; i < this.count; i++) {
      lane(holder[i]).holds.push(i);
      if (begins[i] <= requested[i]) continue;
      const waiting = lane(asker[i]);
      waiting.waits.push(i);
      waiting.blocked += begins[i] - requested[i];
      this.blocked += begins[i] - requested[i];
      this.contended++;
    }
    this.lanes = [...lanes.values()];
    // The threads that waited first, then mere holders; a stable order within, so that lanes never jump.
    this.lanes.sort((a, b) => (b.blocked > 0) - (a.blocked > 0) || a.thread - b.thread);
    for (const entry of this.lanes) {
      entry.held = Domain.spans(begins, ends, entry.holds);
      // A thread waits for one thing at a time, so the order of grant is the order of request.
      entry.waited = Domain.spans(requested, begins, entry.waits);
    }
  }

  static spans(from, to, positions) {
    return new Intervals(gather(from, positions), gather(to, positions), Uint32Array.from(positions));
  }

  /** Did this holder ask before the one before gave back, on another thread? */
  isHandoff(i) {
    return i > 0 && this.requested[i] < this.all.ends[i - 1] && this.holder[i] !== this.holder[i - 1]
      && this.all.begins[i] > this.requested[i];
  }
}
