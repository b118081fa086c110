import { Deferred } from '@hexagent/async';
import type { ConversationEvent, ObservedEvent, Observer } from '@hexagent/ports';
import { outlineOf, type WireFrame } from './outline.ts';
import type { ScenarioPlace } from './places.ts';
import type { Departure } from './scenario.ts';

/** What is seen of a conversation, without ids, times and folders: one line for each message, request and frame. */
export interface Seen {
  /** What the program received, and how its turns ended. */
  readonly received: readonly string[];
  /** What the agent asked the host. */
  readonly asked: readonly string[];
  /** What was written to the agent. */
  readonly written: readonly string[];
  /** Lines about which the depths need not agree. They are not among the others. */
  readonly apart: readonly string[];
}

/** Records what happens in the sessions of a scenario. */
export class Recorder implements Observer {
  readonly #received: string[] = [];
  readonly #asked: string[] = [];
  readonly #written: string[] = [];
  #waiting: { readonly text: string; readonly shown: Deferred<void> }[] = [];
  #isReading = false;

  observe(event: ObservedEvent): void {
    if (event.kind === 'sent') this.#written.push(writtenLine(event.frame));
    if (event.kind === 'received' && event.frame.type === 'control_request')
      this.#add(this.#asked, lineOf(event.frame));
  }

  /** Reads all that a session reports, to its end. */
  async read(events: AsyncIterable<ConversationEvent>): Promise<void> {
    this.#isReading = true;
    try {
      for await (const event of events) {
        if (event.kind === 'message') this.#add(this.#received, lineOf(event.message));
        if (event.kind === 'turn_ended') this.#add(this.#received, `turn ended: ${event.outcome.kind}`);
        if (event.kind === 'turn_cut') this.#add(this.#received, 'turn cut off');
      }
    } finally {
      this.#isReading = false;
      for (const { text, shown } of this.#waiting.splice(0)) shown.reject(this.#missing(text));
    }
  }

  /**
   * Resolves once something was received, or asked, whose line contains this text.
   * @throws {Error} when the session ends before.
   */
  async until(text: string): Promise<void> {
    if (this.#shown.some((line) => line.includes(text))) return;
    if (!this.#isReading) throw this.#missing(text);
    const shown = new Deferred<void>();
    this.#waiting.push({ text, shown });
    await shown.promise;
  }

  seen(names: ScenarioPlace['names'], departs: readonly Departure[] = []): Seen {
    const isApart = (line: string): boolean => departs.some(({ about }) => line.includes(about));
    const all = [this.#received, this.#asked, this.#written].map((lines) => lines.map((line) => placed(line, names)));
    const [received = [], asked = [], written = []] = all.map((lines) => lines.filter((line) => !isApart(line)));
    return {
      received: numbered(received),
      asked: numbered(asked),
      written: inAnyOrder(written.map((line) => line.replaceAll(ids, 'ID'))),
      apart: all.flat().filter(isApart),
    };
  }

  get #shown(): readonly string[] {
    return [...this.#received, ...this.#asked];
  }

  #missing(text: string): Error {
    return new Error(
      `The session ended, and nothing showed ${JSON.stringify(text)}. This was seen:\n${this.#shown.join('\n')}`,
    );
  }

  #add(lines: string[], line: string): void {
    lines.push(line);
    const due = this.#waiting.filter(({ text }) => line.includes(text));
    this.#waiting = this.#waiting.filter((one) => !due.includes(one));
    for (const { shown } of due) shown.resolve();
  }
}

const lineOf = (frame: object): string => outlineOf(frame as WireFrame); // each frame has a type

const ids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b(?:toolu|msg|req)_\w+/g;

const placed = (line: string, names: ScenarioPlace['names']): string =>
  names.reduce((text, [part, shown]) => text.replaceAll(part, shown), line);

/** Names ids, which no two runs share, by the order in which they come. */
function numbered(lines: readonly string[]): readonly string[] {
  const seen = new Map<string, string>();
  const named = (id: string): string => {
    const name = seen.get(id) ?? `ID${seen.size + 1}`;
    seen.set(id, name);
    return name;
  };
  return lines.map((line) => line.replaceAll(ids, named));
}

/** Answers that follow each other are sorted: requests that are open at the same time are answered in any order. */
function inAnyOrder(lines: readonly string[]): readonly string[] {
  const groups: string[][] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (isAnswer(line) && isAnswer(last?.[0] ?? '')) last?.push(line);
    else groups.push([line]);
  }
  return groups.flatMap((group) => group.toSorted());
}

const isAnswer = (line: string): boolean => line.startsWith('control_response');

/** A frame that the SDK has written, without ids. */
function writtenLine({ type, ...fields }: Extract<ObservedEvent, { readonly kind: 'sent' }>['frame']): string {
  const isId = (name: string): boolean => ['session_id', 'uuid', 'request_id', 'task_id'].includes(name);
  const text = JSON.stringify(fields, (name, value: unknown) => (isId(name) ? undefined : value));
  // Those of JSON-RPC are the agent's own.
  return `${type} ${text.replaceAll(/"id":(?:"[^"]*"|\d+)/g, '"id":"ID"')}`;
}
