// The types of the page's JSON (`META`). PageBundleTests compares them with the Swift types, TimelineDocument.swift and
// its neighbours, which describe the members.

interface Meta {
  title: string;
  trace: TraceFacts;
  queues: QueueRow[];
  threads: ThreadRow[];
  codes: string[];
  links?: { [place: string]: string };
  locks: { label: string, fair: boolean }[];
  sources: { type: string, handle: number, queue: number }[];
  findings: Finding[];
  kinds: string[];
  waitObjects: { kind: number, entity: number, id: string, code: number }[];
  openWaits: OpenWaitList;
  strings: string[];
}

interface TraceFacts {
  program: string; pid: number; host: string; processors: number; processorText: string;
  events: number; discarded: number; begin: number; end: number;
  unixNanoseconds: string; quality: number; failedChecks: string[]; limitedChecks: string[];
  hasLimitedSwitches: boolean; notes: string[]; busy: { queues: number, actors: number, loops: number };
  omittedItems: number; omittedMarks: number; omittedTasks: number; omittedTaskSteps: number; findingsInFull: number;
  windows: number[][];
}

interface QueueRow {
  serial: number; label: string; kind: string; qos: string; target: number; exclusion: number; busy: number;
  load: number; waited: number;
}

interface ThreadRow {
  tid: number; name: string; start: number; end: number; busy: number; blocked: number; worker: boolean;
}

interface Finding {
  id: string; detector: string; focus: FindingFocus; severity: 'info' | 'warning' | 'error'; summary: string;
  queues: number[]; locks: number[]; begin: number; end: number; cost: number; occurrences: number;
  measures: string[][]; evidence: Proof[]; code: number[]; stacks: { title: string, frames: string[] }[];
  advice: string; caveat?: string;
  change?: 'gone' | 'new' | 'worse' | 'same';
  /** Added by joined_traces.js: the trace that it belongs to. */
  side?: string;
}

interface Proof { time: number; thread: number; task?: number; event: string; detail: string; }

interface FindingFocus { scene: FocusScene; callout: FocusCallout; showsWorkers: boolean; hint: string; }

type TaskScene = 'tasks' | 'unresumedTasks' | 'actorTurns' | 'actorHops' | 'shortTasks' | 'taskCount';
type FocusScene = 'moment' | 'handOffs' | 'overlap' | 'barriers' | 'hierarchies' | 'lateMutations' | 'lateRetargets'
  | TaskScene;
type FocusCallout = 'longest' | 'handOff' | 'overlap' | 'hierarchies' | 'workers' | 'starvation' | 'lateChange'
  | 'neverBegan' | 'lateTimer' | 'bothOrders' | 'idleThread' | 'barrierWait' | 'unresumed' | 'actorHop' | 'actorWait'
  | 'mostTasks' | 'shortTasks';

interface OpenWaitList { rows: OpenWaitRow[]; omitted: number; }

interface OpenWaitRow {
  cause: string;
  waiters: { name: string, thread: number, task: number, queue: number, begin: number, length: number }[];
  count: number; cycle: number; inVerdict: boolean;
}
