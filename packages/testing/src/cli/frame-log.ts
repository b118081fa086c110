import { matches, type FrameMatch, type RawFrame } from './frames.ts';

interface Waiter {
  readonly match: FrameMatch;
  resolve(frame: RawFrame): void;
  reject(error: Error): void;
}

/** Collects the lines of a process, and gives each frame to the first `take()` that matches. */
export class FrameLog {
  readonly frames: RawFrame[] = [];
  readonly otherLines: string[] = [];
  readonly #untaken: RawFrame[] = [];
  #waiters: Waiter[] = [];
  #incomplete = '';
  #ended: string | undefined;

  /** Splits lines itself: `readline` also ends lines at U+2028, which JSON may contain. */
  push(chunk: string): void {
    const [first = '', ...more] = chunk.split('\n');
    if (more.length === 0) {
      this.#incomplete += first;
      return;
    }
    const lines = [this.#incomplete + first, ...more];
    this.#incomplete = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
  }

  /** Rejects every pending `take()` with the reason `why`. */
  end(why: string): void {
    if (this.#incomplete !== '') this.#line(this.#incomplete);
    this.#incomplete = '';
    this.#ended = why;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter.reject(this.#missing(waiter.match, why));
  }

  take(match: FrameMatch): Promise<RawFrame> {
    const index = this.#untaken.findIndex((frame) => matches(frame, match));
    const [frame] = index < 0 ? [] : this.#untaken.splice(index, 1);
    if (frame !== undefined) return Promise.resolve(frame);
    if (this.#ended !== undefined) return Promise.reject(this.#missing(match, this.#ended));
    return new Promise((resolve, reject) => this.#waiters.push({ match, resolve, reject }));
  }

  #line(line: string): void {
    const frame = parsed(line);
    if (frame === undefined) {
      this.otherLines.push(line);
      return;
    }
    this.frames.push(frame);
    const index = this.#waiters.findIndex((waiter) => matches(frame, waiter.match));
    const [waiter] = index < 0 ? [] : this.#waiters.splice(index, 1);
    if (waiter === undefined) this.#untaken.push(frame);
    else waiter.resolve(frame);
  }

  #missing(match: FrameMatch, why: string): Error {
    const seen = this.frames.map((frame) => [frame.type, frame.request?.subtype ?? frame.subtype].join('/'));
    return new Error(`No frame for ${String(match)}: ${why} Frames seen: ${seen.join(', ') || 'none'}.`);
  }
}

function parsed(line: string): RawFrame | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFrame(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isFrame(value: unknown): value is RawFrame {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
