// Tasks of Swift Concurrency: the steps of each task, its parent and children, and the task that an item belongs to.

import { groupBy, lowerBound, timeOrder } from './columns.js';
import { Intervals } from './intervals.js';
import { shifted } from './shift.js';
import { AWAIT_KINDS, TASK_KINDS, TASK_PARTS } from './vocabulary.js';
import { briefCode, printable } from '../units.js';

/** The kind of a task that the runtime creates for `Task.sleep`. */
export const SLEEP = TASK_KINDS.findIndex(({ name }) => name === 'sleep');
export const TASK_FINISHED = 1;
const TASK_CANCELLED = 2;
/** The numbers of the kinds of awaited objects, by name. */
export const AWAITS = Object.fromEntries(AWAIT_KINDS.map(({ name, value }) => [name, value]));

/**
 * @typedef {object} TaskStep a run, or a wait
 * @property {number} awaits -1 for a run, otherwise a value of AWAITS
 * @property {number} begin
 * @property {number} end
 * @property {number} code for a run, where it continued; for a wait, the function that awaits
 * @property {number} thread the thread of a run; -1 for a wait
 * @property {number} actor the actor of a run, or the actor that it waited for after the wait; -1 for none
 * @property {boolean} isFinished did the task run again after the wait
 * @property {number} object the number of the awaited task, or the id of the group
 * @property {number} resumed when the awaited event happened; -1 when it did not
 * @property {number} resumer the thread of that event, or -1
 * @property {number} resumedBy the number of the task that ran there, or 0
 * @property {number} resumeCode the code of that event
 * @property {number} holder the number of the task that held the actor then, or 0
 */

/** The tasks of one trace, in the order of creation. */
export function decodeTasks(/** @type {ByteReader} */ reader) {
  const tasks = [];
  let number = 0, parent = 0, group = 0, created = 0;
  for (let left = reader.varint(); left > 0; left--) {
    const task = { number: number += reader.signed(), parent: parent += reader.signed(),
      group: group += reader.signed(), kind: reader.varint(), flags: reader.varint(), name: reader.varint(),
      code: reader.varint(), creator: reader.varint() - 1, created: created += reader.varint(),
      end: created + reader.varint(), side: 0,
      parts: [0], omitted: 0, steps: /** @type {TaskStep[]} */ ([]) };
    task.parts = reader.parts(TASK_PARTS.length, task.end - created);
    task.omitted = reader.varint();
    for (let count = reader.varint(), at = created; count > 0; count--) {
      const step = decodeStep(reader, at);
      at = step.end;
      task.steps.push(step);
    }
    tasks.push(task);
  }
  return tasks;
}

function decodeStep(/** @type {ByteReader} */ reader, /** @type {number} */ before) {
  const awaits = reader.varint() - 1, begin = before + reader.signed(), end = begin + reader.varint();
  const code = reader.varint();
  const step = { awaits, begin, end, code, thread: -1, actor: -1, isFinished: true, object: 0, resumed: -1, resumer: -1,
    resumedBy: 0, resumeCode: 0, holder: 0 };
  if (awaits < 0) {
    step.thread = reader.varint();
    step.actor = reader.varint() - 1;
    return step;
  }
  step.isFinished = (reader.varint() & 1) === 1;
  step.object = reader.varint();
  const resumed = reader.varint();
  step.resumed = resumed > 0 ? begin + resumed - 1 : -1;
  step.resumer = reader.varint() - 1;
  step.resumedBy = reader.varint();
  step.resumeCode = reader.varint();
  step.actor = reader.varint() - 1;
  step.holder = reader.varint();
  return step;
}

/** Joins the tasks of two traces. */
export function joinTasks(/** @type {Task[]} */ before, /** @type {Task[]} */ after, /** @type {Shift} */ shift) {
  // Code 0 means unknown in both traces.
  const code = (/** @type {Task | TaskStep} */ entry) => entry.code ? /** @type {const} */ ({ code: 'codes' }) : {};
  const step = (/** @type {TaskStep} */ entry) => shifted(entry, { thread: 'threads', actor: 'queues',
    resumer: 'threads', ...code(entry), ...entry.resumeCode ? { resumeCode: 'codes' } : {} }, shift);
  return before.concat(after.map((task) => Object.assign(shifted(task,
    { name: 'strings', creator: 'threads', ...code(task) }, shift), { side: 1, steps: task.steps.map(step) })));
}

export class Tasks {
  constructor(/** @type {Trace} */ trace, /** @type {Task[]} */ list) {
    this.trace = trace;
    this.list = list;
    this.positions = new Map(list.map((task, position) => [task.side + ':' + task.number, position]));
  }

  get count() { return this.list.length; }

  /** Does a task belong to this one of two traces? */
  isOfSide(/** @type {number} */ position, /** @type {Side} */ side) {
    return this.trace.sides[this.list[position].side] === side;
  }

  /**
   * The position of the task with a number, in the same trace as the task `like`; -1 when it does not exist or was left
   * out.
   */
  find(/** @type {number} */ number, /** @type {number} */ like) { return this.numbered(number, this.list[like].side); }
  numbered(/** @type {number} */ number, /** @type {number} */ side) {
    return this.positions.get(side + ':' + number) ?? -1;
  }

  /** The task's own name, otherwise the function that it runs, otherwise its kind. */
  name(/** @type {number} */ position) {
    const { name, code, kind } = this.list[position], { trace } = this;
    if (name > 0 && trace.meta.strings[name]) return printable(trace.meta.strings[name]);
    return code > 0 ? briefCode(trace.meta.codes[code] || '') : (TASK_KINDS[kind] || TASK_KINDS[0]).title;
  }

  label(/** @type {number} */ position) { return `task ${this.list[position].number}, ${this.name(position)}`; }
  numberLabel(/** @type {number} */ number, /** @type {number} */ like) {
    const position = this.find(number, like);
    return position < 0 ? `task ${number}` : this.label(position);
  }

  kind(/** @type {number} */ position) { return (TASK_KINDS[this.list[position].kind] || TASK_KINDS[0]).title; }
  ran(/** @type {number} */ position) { return this.list[position].parts[0]; }
  life(/** @type {number} */ position) { return this.list[position].end - this.list[position].created; }
  state(/** @type {number} */ position) {
    const { flags } = this.list[position];
    return (flags & TASK_FINISHED ? 'finished' : 'not finished') + (flags & TASK_CANCELLED ? ', cancelled' : '');
  }

  parent(/** @type {number} */ position) {
    return this.list[position].parent ? this.find(this.list[position].parent, position) : -1;
  }

  /** The children of a task, in the order of creation. */
  children(/** @type {number} */ position) {
    const byParent = this.trace.once('task children', () => groupBy(this.list.keys(), (child) => {
      const parent = this.parent(child);
      return parent < 0 ? undefined : parent;
    }));
    return byParent.get(position) || [];
  }

  /**
   * The positions by life, the longest first. Unfinished tasks are last. Tasks that the runtime creates to sleep are
   * excluded.
   */
  get slowest() {
    return this.trace.once('slowest tasks', () => {
      // Lives are whole nanoseconds below 2^48. A finished task sorts first because of the bit above.
      const lives = Float64Array.from(this.list, ({ flags, created, end }) =>
        end - created + (flags & TASK_FINISHED ? 2 ** 48 : 0));
      return this.list.map((_, position) => position).filter((position) => this.list[position].kind !== SLEEP)
        .sort((a, b) => lives[b] - lives[a] || a - b);
    });
  }

  /**
   * The task that ended a wait: the awaited child, or the last child of the group that ended before; -1 when it is
   * unknown.
   *
   *       child 1   ├──────┤
   *       child 2   ├──────────────┤  ◄── the result
   *       parent   ─┤ awaits group ╰──
   */
  awaited(/** @type {number} */ position, /** @type {TaskStep} */ step) {
    if (step.awaits === AWAITS.task) return this.find(step.object, position);
    if (step.awaits !== AWAITS.group) return -1;
    const { ends, positions } = this.groupByEnd(position, step.object);
    const until = step.resumed >= 0 ? step.resumed : step.end, last = lowerBound(ends, until + 201) - 1;
    // Several tasks may have the same end: take the first created.
    return last >= 0 && ends[last] > step.begin - 200 ? positions[lowerBound(ends, ends[last])] : -1;
  }

  /**
   * The children of a task in one group, by their end. The result is cached, because a task can await a group once for
   * each child.
   */
  groupByEnd(/** @type {number} */ position, /** @type {number} */ group) {
    return this.trace.once(`group ${group} of task ${position}`, () => {
      const members = this.membersByGroup(position).get(group) || [];
      const order = timeOrder(Float64Array.from(members, (child) => this.list[child].end));
      const positions = Array.from(order, (i) => members[i]);
      return { ends: Float64Array.from(positions, (child) => this.list[child].end), positions };
    });
  }

  /** Finds all groups of a task in one pass, because a task can have one group for each child. */
  membersByGroup(/** @type {number} */ position) {
    return this.trace.once('groups of task' + position, () =>
      groupBy(this.children(position), (child) => this.list[child].group));
  }

  /** The time that a task awaited each of its tasks, and the task that it awaited last: { times: Map, last } */
  awaitedTasks(/** @type {number} */ position) {
    return this.trace.once('awaited tasks' + position, () => {
      const times = /** @type {Map<number, number>} */ (new Map());
      let last = -1;
      for (const step of this.list[position].steps) {
        const child = step.awaits >= 0 ? this.awaited(position, step) : -1;
        if (child < 0) continue;
        times.set(child, (times.get(child) || 0) + (step.resumed >= 0 ? step.resumed : step.end) - step.begin);
        last = child;
      }
      return { times, last };
    });
  }

  /** The task, the task that it awaited last, the task that this one awaited last, and so on. */
  criticalChain(/** @type {number} */ position, most = 12) {
    const chain = [position];
    for (let at = position; chain.length < most;) {
      at = this.awaitedTasks(at).last;
      if (at < 0 || chain.includes(at)) break;
      chain.push(at);
    }
    return chain;
  }

  /** Did the runtime's timer end the wait, as for `Task.sleep`? */
  isSleep(/** @type {number} */ position, /** @type {TaskStep} */ step) {
    if (step.awaits !== AWAITS.continuation) return false;
    const by = step.resumedBy ? this.find(step.resumedBy, position) : -1;
    return by >= 0 && this.list[by].kind === SLEEP;
  }

  /** The runs of all tasks on a thread. The row of an interval is the task's position. */
  runsOn(/** @type {number} */ thread) {
    const runs = this.trace.once('task runs', () => {
      /** @type {Array<Array<{ begin: number, end: number, task: number }>>} */
      const lists = this.trace.threads.map(() => []);
      this.list.forEach(({ steps }, task) => {
        for (const { awaits, begin, end, thread: runner } of steps) {
          if (awaits < 0 && lists[runner]) lists[runner].push({ begin, end, task });
        }
      });
      return lists.map((list) => {
        const order = timeOrder(Float64Array.from(list, (run) => run.begin)), sorted = [...order].map((i) => list[i]);
        return Intervals.of(sorted, ({ begin }) => begin, ({ end }) => end, ({ task }) => task);
      });
    });
    return runs[thread];
  }

  /** The task that ran in an item or around it; -1 for none. */
  ofRow(/** @type {number} */ row) {
    const { begin, end, thread } = this.trace.items;
    return this.count ? this.at(thread[row], begin[row], end[row]) : -1;
  }

  /** The first task that ran on a thread in [from, to). */
  at(/** @type {number} */ thread, /** @type {number} */ from, /** @type {number} */ to) {
    const runs = this.count ? this.runsOn(thread) : undefined;
    if (!runs) return -1;
    const [first, last] = runs.range(from, Math.max(to, from + 0.5));
    const exact = lowerBound(runs.begins, from, first, last);
    if (exact < last && runs.begins[exact] === from) return runs.row(exact);
    for (let i = first; i < last; i++) if (runs.ends[i] > from) return runs.row(i);
    return -1;
  }

  /** The task for an instant on a thread: the task that ran then or began to wait; -1 for none. */
  near(/** @type {number} */ thread, /** @type {number} */ time) {
    const running = this.at(thread, time, time), runs = this.count ? this.runsOn(thread) : undefined;
    if (running >= 0 || !runs) return running;
    const before = lowerBound(runs.begins, time) - 1;
    return before >= 0 && time - runs.ends[before] < 1000 ? runs.row(before) : this.waitingSince(time);
  }

  /** The task that began to wait at a time, on any thread; -1 for none. */
  waitingSince(/** @type {number} */ time) {
    return this.list.findIndex(({ steps }) => steps.some(({ awaits, begin }) => awaits >= 0 && begin === time));
  }

  /** The positions of the tasks whose number, name or function contains a text. */
  matching(/** @type {string} */ text) {
    const wanted = text.toLowerCase(), found = /** @type {Set<number>} */ (new Set());
    this.list.forEach((_, position) => {
      if (this.label(position).toLowerCase().includes(wanted)) found.add(position);
    });
    return found;
  }
}
