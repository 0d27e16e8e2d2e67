// Type names for comments such as `/** @type {Trace} */`. Only TypeScript's checker reads this file.

type Banner = import('./findings/banner.js').Banner;
type BinnedDepth = import('./trace/left_out.js').BinnedDepth;
type BriefText = import('./findings/brief.js').BriefText;
type ByteReader = import('./trace/byte_reader.js').ByteReader;
type CausalPath = import('./trace/causal_path.js').CausalPath;
type FindingChoice = import('./page/finding_choice.js').FindingChoice;
type Hit = import('./picture/hits.js').Hit;
type Intervals = import('./trace/intervals.js').Intervals;
type ItemStory = import('./panels/item_story.js').ItemStory;
type Page = import('./page/page.js').Page;
type Painter = import('./picture/painter.js').Painter;
type Palette = import('./picture/palette.js').Palette;
type Piece = import('./tracks/task.js').Piece;
type RangeSelection = import('./picture/range_selection.js').RangeSelection;
type RowFilter = import('./panels/row_filter.js').RowFilter;
type Section = import('./picture/track.js').Section;
type SectionRow = import('./picture/track_list.js').SectionRow;
type Side = import('./trace/joined_traces.js').Side;
type SourceLinks = import('./panels/source_links.js').SourceLinks;
type SVGContext = import('./picture/svg_context.js').SVGContext;
type Task = ReturnType<typeof import('./trace/tasks.js').decodeTasks>[number];
type TaskStep = import('./trace/tasks.js').TaskStep;
type TaskStory = import('./panels/task_story.js').TaskStory;
type TaskTrack = import('./tracks/task.js').TaskTrack;
type Trace = import('./trace/trace.js').Trace;
type Track = import('./picture/track.js').Track;
type TrackList = import('./picture/track_list.js').TrackList;
type Union = import('./trace/union.js').Union;
type Viewport = import('./picture/viewport.js').Viewport;
type ViewState = import('./picture/view_state.js').ViewState;

// The tables of the decoded trace; see decoder.js.
type Data = ReturnType<typeof import('./trace/decoder.js').decodeTimeline>;
/** One trace, or two joined traces. */
type TraceData = Data | ReturnType<typeof import('./trace/joined_traces.js').joinTraces>;
/** The sizes of the first trace's tables; see shift.js. */
type Shift = typeof import('./trace/shift.js').NO_SHIFT;
type CriticalPath = NonNullable<Data['criticalPath']>;
type Holding = Data['holdings'][number];
type Mark = Data['marks'][number];
type PendingItem = Data['pending'][number];
type Signpost = Data['signposts'][number];
type Wait = Data['waits'][number];
/** The smallest array type for the numbers; see `narrow`. */
type Numbers = Uint8Array | Uint16Array | Uint32Array;
type SignedNumbers = Numbers | Int16Array | Int32Array;

/** The items that ran, by queue and then by begin: one column for each fact. */
interface Items {
  count: number;
  /** The rows of each queue. */
  groups: { queue: number, start: number, end: number }[];
  begin: Float64Array; end: Float64Array; enqueued: Float64Array;
  queue: SignedNumbers; shape: SignedNumbers; thread: SignedNumbers; enqueuer: SignedNumbers;
  parent: SignedNumbers;
  /** The position of the parts of each wait in `bytes`; see `waitParts`. */
  partsAt: SignedNumbers; bytes: Uint8Array;
  /** The threads that handed a queue over, by the row of the next item. */
  handedOverBy: Map<number, number>;
}

/** The times on a processor of one thread. */
interface Slices { begin: Float64Array; end: Float64Array; ending: Uint8Array; processor: Int16Array; }

/** The load by left-out items in bins, as depths, by the position of a queue or thread. `width`: of a bin. */
interface Histogram { width: number; series: Map<number, LeftOutBins>; }
interface LeftOutBins { bins: Int32Array; items: Float64Array; busy: Float64Array; waiting: Float64Array; }

/** A step of a causal or critical path. `thread` is -1, and `row` is negative, for none. */
interface PathSegment extends TimeRange { kind: string; thread: number; row: number; }

/** Writes the averages of `count` equal parts of [from, to) into an array. */
interface Series { sample(from: number, to: number, count: number, into: Float64Array): Float64Array; }

/** The vertical positions to which arrows can point. `isSeen`: is the position in the visible part? */
interface ArrowPlaces {
  threads: Map<number, number>; queues: Map<number, number>; isSeen(y: number): boolean;
}

/** A row of the list with its position. */
interface Placed { row: Track | Banner | SectionRow; y: number; height: number; }
type Row = Placed['row'];
/** What is at a place of the picture. */
interface Found { placed: Placed; hit: Hit | null; isLabel: boolean; }

/** A part of an element; lists may be nested twice. */
type Child = Node | string | (Node | string | (Node | string)[])[];

type Context = CanvasRenderingContext2D | SVGContext;
type Fill = CanvasRenderingContext2D['fillStyle'];

interface TimeRange { from: number; to: number; }
/** A labelled bracket; `to` equals `from` for an instant. */
interface Callout extends TimeRange { text: string; }
/** The view of a finding. */
interface Focus extends TimeRange { tracks: Track[]; }
type CalloutFunction = (trace: Trace, finding: Finding, focus: Focus) => Callout[];
/** Options of `Painter.area`: the height `height` represents the depth `full`. `least`: the smallest height drawn. */
interface AreaOptions { base: number; height: number; full: number; fill: Fill; least?: number; }
/** Options of `Painter.bars`: functions get the position of an interval. `row` is for search and selection. */
interface BarOptions {
  y: number; height: number; fill: (position: number) => Fill; label?: ((position: number) => string) | null;
  row?: ((position: number) => number) | null;
  /** The distance of lanes; 0 without lanes. */
  laneHeight?: number;
  /** Draws one lane only. */
  only?: number;
}

// Declarations that TypeScript 4.8 does not have, and additions of the page.
interface Uint8Array { setFromBase64?(text: string): { written: number }; }
interface Float64ArrayConstructor { from<T>(list: ArrayLike<T>, map: (value: T) => number): Float64Array; }
interface Uint8ArrayConstructor { from<T>(list: ArrayLike<T>, map: (value: T) => number): Uint8Array; }
interface Int32ArrayConstructor { from<T>(list: ArrayLike<T>, map: (value: T) => number): Int32Array; }
interface Window { queuescope: object; }
