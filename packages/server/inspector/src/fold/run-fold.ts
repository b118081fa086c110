import { AgentFold } from './agent-fold.ts';
import { frameOf, isJson, readEntry, textAt, type Entry } from './entry.ts';
import type { Noted } from './facts.ts';
import type { Agent, Row } from './run.ts';

/** Reads the lines of a run, one by one, and keeps what they add up to. */
export class RunFold {
  readonly rows: Row[] = [];
  readonly #folds = new Map<number, AgentFold>();
  #started: string | undefined;
  #unread = 0;

  /** When it began, as ISO 8601: the times of the rows count from here. */
  get started(): string | undefined {
    return this.#started;
  }

  /** In the order in which they were started. */
  get agents(): readonly Agent[] {
    return [...this.#folds.values()].map(({ agent }) => agent);
  }

  /** How many lines were neither a header nor an entry. */
  get unread(): number {
    return this.#unread;
  }

  agent(number: number): Agent | undefined {
    return this.#folds.get(number)?.agent;
  }

  /** Empty lines are skipped, and lines that are not entries are counted. */
  add(line: string): void {
    if (line.trim() === '') return;
    const entry = readEntry(line);
    if (entry !== undefined) this.#addEntry(line, entry);
    else if (!this.#readHeader(line)) this.#unread += 1;
  }

  #addEntry(line: string, entry: Entry): void {
    const index = this.rows.length;
    const { direction, frame } = frameOf(entry);
    const fold = this.#foldOf(entry, index);
    const noted: Noted = { entry, index, direction, t: entry.t };
    const facts = frame === undefined ? fold.noteMark(noted) : fold.noteFrame(frame, noted);
    fold.agent.rows += 1;
    this.rows.push({
      index,
      line,
      t: entry.t,
      agent: entry.agent,
      direction,
      turn: fold.turn,
      tool: undefined,
      parent: undefined,
      call: undefined,
      ask: undefined,
      request: undefined,
      ...facts,
    });
  }

  #foldOf({ agent, t }: Entry, firstRow: number): AgentFold {
    const known = this.#folds.get(agent);
    if (known !== undefined) return known;
    const fold = new AgentFold({ number: agent, from: t, firstRow });
    this.#folds.set(agent, fold);
    return fold;
  }

  #readHeader(line: string): boolean {
    if (!line.startsWith('{"tape":')) return false;
    try {
      const header: unknown = JSON.parse(line);
      this.#started = isJson(header) ? textAt(header, 'started') : undefined;
      return true;
    } catch {
      return false;
    }
  }
}

export function foldLines(lines: Iterable<string>): RunFold {
  const fold = new RunFold();
  for (const line of lines) fold.add(line);
  return fold;
}
