/** Lines that were written after a place. */
export interface LinesRead {
  /** Whole lines, each with its ending. Empty where there are none. */
  readonly text: string;
  /** How many lines there were up to the end of the text. */
  readonly next: number;
  /** How many lines after the place were given up before they were read. */
  readonly dropped: number;
}

interface Piece {
  /** How many lines were written before it. */
  readonly first: number;
  readonly count: number;
  readonly text: string;
}

/** Most of the text that is read at once, in characters. */
const readAtOnce = 1_000_000;

/** The latest lines of a run, within a bound: the oldest are given up first. */
export class LineRing {
  readonly #mostCharacters: number;
  #pieces: Piece[] = [];
  /** Pieces before it were given up. */
  #head = 0;
  #characters = 0;
  #written = 0;
  readonly #waiting = new Set<() => void>();

  constructor(mostCharacters: number) {
    this.#mostCharacters = mostCharacters;
  }

  /** Takes whole lines, each with its ending. */
  write(text: string): void {
    const count = linesIn(text);
    this.#pieces.push({ first: this.#written, count, text });
    this.#written += count;
    this.#characters += text.length;
    this.#giveUp();
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
      const text = piece.first < next ? withoutLines(piece.text, next - piece.first) : piece.text;
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

  /** The last piece is kept, however long it is. */
  #giveUp(): void {
    while (this.#characters > this.#mostCharacters && this.#head < this.#pieces.length - 1) {
      this.#characters -= this.#pieces[this.#head]?.text.length ?? 0;
      this.#head += 1;
    }
    // Moved rarely: to take the first of a long list out costs as much as the list is long.
    if (this.#head < 1000 || this.#head * 2 < this.#pieces.length) return;
    this.#pieces = this.#pieces.slice(this.#head);
    this.#head = 0;
  }
}

function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function withoutLines(text: string, count: number): string {
  let at = 0;
  for (let left = count; left > 0; left -= 1) at = text.indexOf('\n', at) + 1;
  return text.slice(at);
}
