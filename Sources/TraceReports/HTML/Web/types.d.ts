// Type names for comments such as `/** @type {Trace} */`. Only TypeScript's checker reads this file.

type BinnedDepth = import('./trace/left_out.js').BinnedDepth;
type Banner = import('./findings/banner.js').Banner;
type Data = ReturnType<typeof import('./trace/decoder.js').decodeTimeline>;
type Domain = import('./tracks/domain.js').Domain;
type FindingChoice = import('./page/finding_choice.js').FindingChoice;
type Hit = import('./picture/hits.js').Hit;
type Intervals = import('./trace/intervals.js').Intervals;
/** The smallest array type for the numbers; see `narrow`. */
type Numbers = Uint8Array | Uint16Array | Uint32Array;
type Page = import('./page/page.js').Page;
type Painter = import('./picture/painter.js').Painter;
type Palette = import('./picture/palette.js').Palette;
type Side = import('./trace/joined_traces.js').Side;
type SourceLinks = import('./panels/source_links.js').SourceLinks;
type TaskTrack = import('./tracks/task.js').TaskTrack;
type TimelineView = import('./picture/timeline_view.js').TimelineView;
type Trace = import('./trace/trace.js').Trace;
type TaskStep = import('./trace/tasks.js').TaskStep;
type Track = import('./picture/track.js').Track;
type TrackList = import('./picture/track_list.js').TrackList;
type Viewport = import('./picture/viewport.js').Viewport;
type ViewState = import('./picture/view_state.js').ViewState;
type WorkersTrack = import('./tracks/workers.js').WorkersTrack;

interface TimeRange { from: number; to: number; }
/** A labelled bracket; `to` equals `from` for an instant. */
interface Callout extends TimeRange { text: string; }
/** The view of a finding. */
interface Focus extends TimeRange { tracks: Track[]; }
/** Options of `Painter.bars`: functions get the position of an interval. `row` is for search and selection. */
interface BarOptions {
  y: number; height: number; fill: (position: number) => any; label?: ((position: number) => string) | null;
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
interface CanvasRenderingContext2D { hatch?(colour: string): string; }
