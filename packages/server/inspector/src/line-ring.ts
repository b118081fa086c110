/** Lines that were written after a place. */
export interface LinesRead {
  /** Whole lines, each with its ending. Empty where there are none. */
  readonly text: string;
  /** How many lines there were up to the end of the text. */
  readonly next: number;
  /** How many lines after the place were given up before they were read. */
  readonly dropped: number;
}

/** Lines that are kept together. */
export interface Piece {
  readonly count: number;
  readonly content: string;
  /** Makes the lines of the content, each with its ending: called when they are read. */
  readonly toText: (content: string) => string;
}

interface Kept extends Pick<Piece, 'count' | 'toText'> {
  /** How many lines were written before it. */
  readonly first: number;
  /** Where its content is, and where that of the next one may begin. */
  readonly from: number;
  readonly length: number;
  readonly to: number;
}

/** Most of the text that is read at once, in characters. */
const readAtOnce = 1_000_000;

/** What the shortest piece takes: its place in the list is not free. */
const leastBytes = 64;

/** In UTF-8 a character of a text, which counts two of those beyond 16 bits, takes three bytes at most. */
const bytesOfCharacter = 3;

/**
 * The latest lines of a run, within a bound: the oldest are given up first. They are bytes outside of the heap, written over and over: kept
 * as texts, they would cost the garbage collector as much as it costs to parse them.
 */
export class LineRing {
  readonly #bytes: Buffer;
  /** Where the next content begins. */
  #at = 0;
  #pieces: Kept[] = [];
  /** Pieces before it were given up. */
  #head = 0;
  #written = 0;
  readonly #waiting = new Set<() => void>();

  constructor(bytes: number) {
    // Not filled: a system lends the pages of it when they are written.
    this.#bytes = Buffer.allocUnsafeSlow(bytes);
  }

  write({ count, content, toText }: Piece): void {
    const from = this.#placeFor(Math.max(leastBytes, content.length * bytesOfCharacter));
    if (from !== undefined) {
      const length = this.#bytes.write(content, from);
      this.#at = from + Math.max(leastBytes, length);
      this.#pieces.push({ first: this.#written, count, toText, from, length, to: this.#at });
    }
    this.#written += count;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** What was written after the first `place` lines; a place that is not yet written counts as the end. */
  after(place: number): LinesRead {
    const oldest = this.#pieces[this.#head]?.first ?? this.#written;
    const from = Math.min(Math.max(place, oldest), this.#written);
    const texts: string[] = [];
    let [next, characters] = [from, 0];
    for (let at = this.#pieceAt(from); at < this.#pieces.length && characters < readAtOnce; at += 1) {
      const piece = this.#pieces[at];
      if (piece === undefined) break;
      const text = withoutLines(this.#textOf(piece), next - piece.first);
      next = piece.first + piece.count;
      characters += text.length;
      texts.push(text);
    }
    return { text: texts.join(''), next, dropped: Math.max(0, from - place) };
  }

  /** Resolves with the next line, at once where there are lines after the place, and when the signal aborts. */
  async changed(place: number, signal: AbortSignal): Promise<void> {
    if (place < this.#written || signal.aborted) return;
    let wake = (): void => {};
    const woken = new Promise<void>((resolve) => (wake = resolve));
    this.#waiting.add(wake);
    signal.addEventListener('abort', wake, { once: true });
    await woken;
    this.#waiting.delete(wake);
    signal.removeEventListener('abort', wake);
  }

  #textOf({ from, length, toText }: Kept): string {
    return toText(this.#bytes.toString('utf8', from, from + length));
  }

  /** Gives up the oldest pieces until there is room; all of them for a content that has none at all. */
  #placeFor(bytes: number): number | undefined {
    if (bytes > this.#bytes.length) {
      this.#giveUpWhile(() => true);
      return undefined;
    }
    if (this.#at + bytes > this.#bytes.length) {
      // What was written before it the last time is older than all else.
      this.#giveUpWhile(({ from }) => from >= this.#at);
      this.#at = 0;
    }
    const [from, to] = [this.#at, this.#at + bytes];
    this.#giveUpWhile((oldest) => oldest.from < to && oldest.to > from);
    return from;
  }

  #giveUpWhile(isInTheWay: (oldest: Kept) => boolean): void {
    for (let oldest = this.#pieces[this.#head]; oldest !== undefined && isInTheWay(oldest);) {
      this.#head += 1;
      oldest = this.#pieces[this.#head];
    }
    // Moved rarely: to take the first of a long list out costs as much as the list is long.
    if (this.#head < 1000 || this.#head * 2 < this.#pieces.length) return;
    this.#pieces = this.#pieces.slice(this.#head);
    this.#head = 0;
  }

  /** The place of the piece in the list that has the line. */
  #pieceAt(line: number): number {
    let [low, high] = [this.#head, this.#pieces.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const { first, count } = this.#pieces[middle] ?? { first: 0, count: 0 };
      if (first + count <= line) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function withoutLines(text: string, count: number): string {
  let at = 0;
  for (let left = count; left > 0; left -= 1) at = text.indexOf('\n', at) + 1;
  return text.slice(at);
}
