import { tapeText, type TapEvent, type TapListener, type TapSink } from '@hexagent/tapes';
import { LineRing, type LinesRead } from './line-ring.ts';

/**
 * The tape of this process, as far as a bound allows. It becomes text, and its secrets are taken out, when a page reads it: a program
 * that no page reads from pays for keeping the lines alone.
 */
export class LiveTape {
  readonly sink: TapSink;
  readonly #now: () => number;
  readonly #ring: LineRing;
  #header = '';
  /** When what is being written was reported. */
  #at = 0;
  #written = '';

  constructor(bytes: number, now: () => number = () => performance.now()) {
    this.#now = now;
    this.#ring = new LineRing(bytes);
    const write = (text: string): void => void (this.#written += text);
    const toText = tapeText({ write }, { now: () => this.#at });
    this.sink = (launch) => {
      // A launch is large and rare: its text alone is kept.
      this.#at = now();
      const listener = toText(launch);
      this.#addLaunch(this.#taken());
      return (event) => this.#add(event, listener);
    };
  }

  /** What was reported after the first `place` lines. The first of all is the header, which is never given up. */
  after(place: number): LinesRead {
    if (this.#header === '') return { text: '', next: 0, dropped: 0 };
    const { text, next, dropped } = this.#ring.after(Math.max(0, place - 1));
    return { text: place === 0 ? this.#header + text : text, next: next + 1, dropped };
  }

  /** Resolves when there is more after the place, and when the signal aborts. */
  changed(place: number, signal: AbortSignal): Promise<void> {
    return this.#ring.changed(Math.max(0, place - 1), signal);
  }

  /** With the first launch comes the header. */
  #addLaunch(text: string): void {
    const start = this.#header === '' ? text.indexOf('\n') + 1 : 0;
    if (start > 0) this.#header = text.slice(0, start);
    this.#ring.write({ count: 1, content: text.slice(start), toText: (line) => line });
  }

  #add(event: TapEvent, listener: TapListener): void {
    const write = this.#writer(this.#now(), listener);
    if (event.kind === 'in') this.#addLines(event.lines, write);
    else if (event.kind === 'out') this.#addLine(event.line, write);
    else this.#ring.write({ count: 1, content: '', toText: () => write(event) });
  }

  /*
   * Each in a function of its own: functions that are made in one place keep alive all that any of them uses, and one that makes the
   * text again must not keep the lines themselves.
   */

  #writer(at: number, listener: TapListener): (event: TapEvent) => string {
    return (event) => {
      this.#at = at;
      listener(event);
      return this.#taken();
    };
  }

  /** A line has no line end in it. */
  #addLines(lines: readonly string[], write: (event: TapEvent) => string): void {
    if (lines.length === 0) return;
    const toText = (content: string): string => write({ kind: 'in', lines: content.split('\n') });
    this.#ring.write({ count: lines.length, content: lines.join('\n'), toText });
  }

  #addLine(line: string, write: (event: TapEvent) => string): void {
    this.#ring.write({ count: 1, content: line, toText: (content) => write({ kind: 'out', line: content }) });
  }

  #taken(): string {
    const text = this.#written;
    this.#written = '';
    return text;
  }
}
