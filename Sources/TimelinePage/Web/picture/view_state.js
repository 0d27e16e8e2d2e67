// The reader's choices: what the picture shows besides the interval (Viewport) and the range (RangeSelection). A link
// restores them.

export class ViewState {
  /** @param {() => void} changed called after each change */
  constructor(changed) {
    this.changed = changed;
    /** @type {Finding | null} */
    this.finding = null;
    /** The position of the visited evidence of the finding; -1 for none. */
    this.evidence = -1;
    /**
     * The selected item, or another part of the picture.
     * @type {Hit | null}
     */
    this.selection = null;
    /**
     * The causal path of an item. It is drawn while the item is selected.
     * @type {import('../trace/causal_path.js').CausalPath | null}
     */
    this.path = null;
    /** Is the critical path of the run drawn over the threads? */
    this.showsRunPath = false;
    /**
     * The start of a measurement; null when none is in progress.
     * @type {number | null}
     */
    this.measuredFrom = null;
  }

  /** The row of the selected item; -1 for none. */
  get selectedRow() { return this.selection ? this.selection.row : -1; }
  get showsPath() { return this.path !== null && this.path.row === this.selectedRow; }

  /** @param {Partial<ViewState>} choices */
  set(choices) {
    Object.assign(this, choices);
    this.changed();
  }
}
