// Which rows there are, from top to bottom, and which of them are folded.
//
// Pinned rows of the chosen finding; locks and exclusion queues that threads were blocked for; queues as a tree by
// target queue; threads; signposts. Siblings whose labels differ only by numbers share one row that can be unfolded.

import { LABEL_WIDTH } from './viewport.js';
import { DomainTrack } from '../tracks/domain.js';
import { OverlapTrack } from '../tracks/overlap.js';
import { PathTrack } from '../tracks/path.js';
import { ProcessorTrack } from '../tracks/processor.js';
import { QueueTrack } from '../tracks/queue.js';
import { SignpostTrack } from '../tracks/signpost.js';
import { ThreadTrack } from '../tracks/thread.js';
import { WorkersTrack } from '../tracks/workers.js';
import { plural, printable } from '../units.js';

export const SECTION_HEIGHT = 26, MOST_DOMAINS = 6, MOST_PROCESSORS_OPEN = 8, GROUP_SIZE = 4;

class SectionRow {
  constructor(key, title, note = '') {
    this.key = key;
    this.title = title;
    this.note = note;
    this.isSection = true;
    this.height = SECTION_HEIGHT;
    this.indent = 0;
  }
}

export class TrackList {
  constructor(trace) {
    this.trace = trace;
    this.folded = new Map();
    this.pinned = null;
    this.filter = null;
    this.tracks = new Map();
    this.children = trace.queues.map(() => []);
    this.roots = [];
    trace.queues.forEach((queue, index) => {
      // A damaged trace can name itself or a queue that is not there as a target.
      const hasTarget = queue.target >= 0 && queue.target < trace.queues.length && queue.target !== index;
      (hasTarget ? this.children[queue.target] : this.roots).push(index);
    });
    this.subtotals = new Float64Array(trace.queues.length).fill(-1);
    this.rebuild();
  }

  track(key, make) {
    if (!this.tracks.has(key)) this.tracks.set(key, make());
    return this.tracks.get(key);
  }

  isFolded(row) { return this.folded.has(row.key) ? this.folded.get(row.key) : row.startsFolded === true; }

  toggle(row) {
    this.folded.set(row.key, !this.isFolded(row));
    this.rebuild();
  }

  /** What is folded or unfolded by hand, for a link. */
  foldedText() { return [...this.folded].map(([key, isFolded]) => `${key}:${isFolded ? 1 : 0}`).join(';'); }

  restoreFolded(text) {
    this.folded = new Map(text.split(';').map((pair) => pair.split(':')).filter((pair) => pair.length === 2)
      .map(([key, value]) => [key, value === '1']));
    this.rebuild();
  }

  isShown(track) { return this.filter === null || this.filter.shows(track); }

  /** Does a filter leave a queue, or one that targets it? */
  isShownQueue(queue, steps = 0) {
    return this.isShown({ queue }) || (steps < 32 && this.children[queue].some((child) =>
      this.isShownQueue(child, steps + 1)));
  }

  /** Shows tracks below a banner on top of all others until the next call. */
  pin(banner, tracks) {
    this.pinned = banner ? { banner, tracks } : null;
    this.rebuild();
  }

  /** The number of items in a queue and what targets it. */
  subtotal(queue) {
    if (this.subtotals[queue] >= 0) return this.subtotals[queue];
    this.subtotals[queue] = 0;
    const group = this.trace.groupOf.get(queue);
    let sum = (group ? group.end - group.start : 0) + (this.trace.leftOut.hasQueue(queue) ? 1 : 0)
      + this.trace.marksOfQueue(queue).length + this.trace.pendingOfQueue(queue).length;
    for (const child of this.children[queue]) sum += this.subtotal(child);
    return this.subtotals[queue] = sum;
  }

  rebuild() {
    const { trace } = this, rows = [];
    if (this.pinned) {
      const pinned = this.pinned.tracks.filter((track) => this.isShown(track))
        .map((track) => Object.assign(track, { isPinned: true }));
      this.section(rows, this.pinned.banner, () => rows.push(...pinned));
    }
    const pinnedCount = rows.length;
    for (const side of trace.sides) this.addSide(rows, side);
    let y = 0;
    this.rows = rows.map((row) => {
      const placed = { row, y, height: row.height };
      y += row.height;
      return placed;
    });
    this.height = y;
    const lastPinned = this.rows[pinnedCount - 1];
    this.pinnedHeight = lastPinned ? lastPinned.y + lastPinned.height : 0;
  }

  /** The rows of one trace; of two, the one before comes first. */
  addSide(rows, side) {
    const { trace } = this, isFiltered = this.filter && this.filter.isOn;
    const header = (key, title, note) => new SectionRow(key + side.name, side.name ? `${side.name} · ${title}` : title, note);
    const domains = this.domains(side).filter((track) => this.isShown(track));
    if (domains.length) {
      const section = header('domains', 'Locks and exclusion queues', 'who holds, who is blocked');
      section.startsFolded = this.pinned !== null && this.pinned.tracks.some((track) => track instanceof DomainTrack);
      this.section(rows, section, () => rows.push(...domains));
    }
    const used = trace.queues.filter((_, index) => side.hasQueue(index) && trace.groupOf.has(index)).length;
    this.section(rows, header('queues', 'Queues', `${plural(used, 'queue')} by target`),
      () => this.branch(rows, this.roots.filter((queue) => side.hasQueue(queue)), 0));
    const count = side.threads.to - side.threads.from;
    const threads = header('threads', 'Threads', plural(count, 'thread'));
    // So that two traces are seen one above the other.
    threads.startsFolded = trace.sides.length > 1;
    this.section(rows, threads, () => {
      if (side.criticalPath && side.criticalPath.segments.length && !isFiltered) {
        rows.push(this.track('path' + side.name, () => new PathTrack(trace, side)));
      }
      const workers = this.track('workers' + side.name, () => new WorkersTrack(trace, '', side));
      if (!workers.isEmpty && this.isShown(workers)) rows.push(workers);
      for (let index = side.threads.from; index < side.threads.to; index++) {
        const track = this.track('thread' + index, () => new ThreadTrack(trace, index));
        if (trace.isUsedThread(index) && this.isShown(track)) rows.push(track);
      }
    });
    const processors = this.track('processors' + side.name, () => ProcessorTrack.all(trace, side))
      .filter((track) => this.isShown(track));
    if (processors.length) {
      const section = header('processors', 'Processors', 'which thread had them');
      section.startsFolded = trace.sides.length > 1 || processors.length > MOST_PROCESSORS_OPEN;
      this.section(rows, section, () => rows.push(...processors));
    }
    const signposts = this.track('signposts', () => SignpostTrack.all(trace))
      .filter(({ signposts: [first] }) => side.hasSignpost(first));
    if (signposts.length && !isFiltered) this.section(rows, header('signposts', 'Signposts'), () => rows.push(...signposts));
  }

  section(rows, header, fill) {
    rows.push(header);
    if (!this.isFolded(header)) fill();
  }

  /** The domains with the most blocked time. */
  domains(side) {
    const { trace } = this;
    return this.track('domain tracks' + side.name, () => {
      const { enqueued, begin, queue } = trace.items, blocked = new Map();
      for (let row = side.rows.from; row < side.rows.to; row++) {
        if (begin[row] <= enqueued[row] || !trace.isSync(row)) continue;
        const owner = trace.queues[queue[row]], domain = owner ? owner.exclusion : -1;
        if (domain >= 0) blocked.set(domain, (blocked.get(domain) || 0) + begin[row] - enqueued[row]);
      }
      const worst = [...blocked].sort((a, b) => b[1] - a[1]).slice(0, MOST_DOMAINS);
      const tracks = worst.map(([domain]) => DomainTrack.ofQueue(trace, domain));
      for (let lock = side.locks.from; lock < side.locks.to; lock++) {
        const track = DomainTrack.ofLock(trace, lock);
        if (track.domain.count) tracks.push(track);
      }
      return tracks.sort((a, b) => b.domain.blocked - a.domain.blocked).slice(0, MOST_DOMAINS);
    });
  }

  branch(rows, queues, indent) {
    const { trace } = this, groups = new Map();
    for (const queue of queues) {
      if (this.subtotal(queue) === 0 || !this.isShownQueue(queue)) continue;
      const pattern = trace.queues[queue].label.replace(/\d+/g, '*');
      // A queue with branches of its own is always shown by itself.
      const key = this.children[queue].length === 0 && pattern.includes('*') ? pattern : queue;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(queue);
    }
    const weight = (members) => members.reduce((sum, queue) => sum + trace.queues[queue].waited, 0);
    const total = (members) => members.reduce((sum, queue) => sum + this.subtotal(queue), 0);
    const ordered = [...groups.values()].sort((a, b) => weight(b) - weight(a) || total(b) - total(a));
    for (const members of ordered) {
      if (members.length >= GROUP_SIZE) {
        const title = printable(trace.queues[members[0]].label.replace(/\d+/g, '*'));
        const key = `group${members[0]}`;
        const group = this.track(key, () => new OverlapTrack(trace, title, members, key, indent));
        group.isContainer = group.startsFolded = true;
        rows.push(group);
        if (!this.isFolded(group)) members.forEach((queue) => this.leaf(rows, queue, indent + 1));
      } else {
        members.forEach((queue) => this.leaf(rows, queue, indent));
      }
    }
  }

  leaf(rows, queue, indent) {
    const track = this.track('queue' + queue, () => new QueueTrack(this.trace, queue, indent));
    track.isContainer = this.children[queue].some((child) => this.subtotal(child) > 0);
    rows.push(track);
    // Bounded against a cycle of targets in a damaged trace.
    if (track.isContainer && !this.isFolded(track) && indent < 32) this.branch(rows, this.children[queue], indent + 1);
  }

  at(y) {
    let low = 0, high = this.rows.length;
    while (low < high) {
      const middle = low + high >>> 1;
      if (this.rows[middle].y + this.rows[middle].height <= y) low = middle + 1; else high = middle;
    }
    return low;
  }

  /** Unfolds whatever hides a queue or a thread, and says where its row is. */
  reveal(key, queue = -1) {
    const find = () => this.rows.find((placed) => placed.row.key === key);
    if (find()) return find();
    for (const { name } of this.trace.sides) {
      for (const section of ['queues', 'threads', 'processors']) this.folded.set(section + name, false);
    }
    for (let at = queue, steps = 0; at >= 0 && this.trace.queues[at] && steps < 64; steps++) {
      this.folded.set('queue' + at, false);
      at = this.trace.queues[at].target;
    }
    this.rebuild();
    if (!find() && queue >= 0) {
      for (const { row } of this.rows) {
        if (row instanceof OverlapTrack && row.queues.includes(queue)) this.folded.set(row.key, false);
      }
      this.rebuild();
    }
    return find();
  }
}

/** A row that the keys act on: it is framed, spoken, and can be folded. */
export class RowCursor {
  constructor(page) {
    this.page = page;
    this.list = page.list;
    this.key = null;
  }

  /** The row it stands on; undefined when that is folded away or filtered out. */
  get placed() { return this.list.rows.find((placed) => placed.row.key === this.key); }

  move(direction) {
    const { rows } = this.list, { timeline } = this.page;
    if (!rows.length) return;
    const at = rows.findIndex((placed) => placed.row.key === this.key);
    const next = at < 0 ? this.list.at(timeline.scroll) : Math.min(Math.max(at + direction, 0), rows.length - 1);
    this.key = rows[next].row.key;
    timeline.show(rows[next]);
    timeline.redraw();
    this.page.say(this.describe(rows[next].row));
  }

  describe(row) {
    const fold = row.isSection || row.isContainer ? (this.list.isFolded(row) ? ', folded' : ', unfolded') : '';
    return [row.title, row.subtitle || row.note].filter((text) => text).join(', ') + fold;
  }

  toggle() {
    const { placed } = this;
    if (!placed || !(placed.row.isSection || placed.row.isContainer)) {
      this.page.say('There is nothing to fold here. J and K go to other rows.');
      return;
    }
    this.list.toggle(placed.row);
    this.page.timeline.scrollBy(0);
    this.page.remember();
    this.page.say(this.describe(placed.row));
  }

  draw(p, { row, height }, y) {
    if (row.key !== this.key) return;
    p.ctx.strokeStyle = p.colours.focus;
    p.ctx.lineWidth = 2;
    p.ctx.strokeRect(1, y + 1, LABEL_WIDTH - 8, height - 3);
  }
}
