/** The columns are made twice as long when they are full. */
const firstCapacity = 1024;

/** What an index holds of its entries, a number in each column: an object for each would take ten times as much. */
export class EntryColumns {
  count = 0;
  /** Where the line begins in the file, and its bytes. */
  places: Float64Array = new Float64Array(firstCapacity);
  sizes: Uint32Array = new Uint32Array(firstCapacity);
  /** What the agent noted of the result of a tool: where that begins and ends in the line. */
  notedStarts: Uint32Array = new Uint32Array(firstCapacity);
  notedEnds: Uint32Array = new Uint32Array(firstCapacity);
  /** Numbers of texts. */
  uuids: Int32Array = new Int32Array(firstCapacity);
  parentUuids: Int32Array = new Int32Array(firstCapacity);
  timestamps: Int32Array = new Int32Array(firstCapacity);
  messageIds: Int32Array = new Int32Array(firstCapacity);
  /** The number of a text, or of a list of several. */
  toolUseIds: Int32Array = new Int32Array(firstCapacity);
  /** The type and the marks. */
  marks: Uint8Array = new Uint8Array(firstCapacity);

  /** The number of a new entry. */
  add(): number {
    if (this.count === this.marks.length) this.#grow();
    this.count += 1;
    return this.count - 1;
  }

  #grow(): void {
    const capacity = this.count * 2;
    this.places = longer(this.places, new Float64Array(capacity));
    this.sizes = longer(this.sizes, new Uint32Array(capacity));
    this.notedStarts = longer(this.notedStarts, new Uint32Array(capacity));
    this.notedEnds = longer(this.notedEnds, new Uint32Array(capacity));
    this.uuids = longer(this.uuids, new Int32Array(capacity));
    this.parentUuids = longer(this.parentUuids, new Int32Array(capacity));
    this.timestamps = longer(this.timestamps, new Int32Array(capacity));
    this.messageIds = longer(this.messageIds, new Int32Array(capacity));
    this.toolUseIds = longer(this.toolUseIds, new Int32Array(capacity));
    this.marks = longer(this.marks, new Uint8Array(capacity));
  }
}

function longer<T extends Float64Array | Int32Array | Uint32Array | Uint8Array>(values: T, into: T): T {
  into.set(values);
  return into;
}
