import { isRecord } from '@hexagent/checks';
import { rpcCodes } from '@hexagent/ports';
import { refused, type Fields, type Outcome } from './json-rpc.ts';
import type { ToolSelection } from './server-options.ts';

/** A `tools/call` as the server is sent it, or why it is not sent. */
export type PreparedCall =
  | { readonly params: Fields; readonly name: string; readonly timeoutMs: number | undefined }
  | { readonly refusal: Outcome };

/** Which tools of a server the agents see, under which names. A hidden tool cannot be called either. */
export class ToolView {
  readonly #selection: ToolSelection;
  /** Maps, since a tool may be called `constructor`. */
  readonly #renamed: ReadonlyMap<string, string>;
  readonly #originals: ReadonlyMap<string, string>;
  readonly #onMistake: (what: string) => void;
  #isChecked = false;

  constructor(selection: ToolSelection, onMistake: (what: string) => void) {
    this.#selection = selection;
    this.#renamed = new Map(Object.entries(selection.rename ?? {}));
    this.#originals = new Map([...this.#renamed].map(([own, shown]) => [shown, own]));
    this.#onMistake = onMistake;
  }

  prepare(params: Fields = {}): PreparedCall {
    const { name: shown } = params;
    const name = typeof shown === 'string' ? this.#originalOf(shown) : undefined;
    // With the name that the agent sent, since the original one is hidden from it.
    if (name === undefined) return { refusal: refused(rpcCodes.invalidParams, `Unknown tool: ${String(shown)}`) };
    const { timeoutMs } = this.#selection;
    const own = isRecord(timeoutMs) && Object.hasOwn(timeoutMs, name) ? timeoutMs[name] : undefined;
    return { params: { ...params, name }, name, timeoutMs: typeof timeoutMs === 'number' ? timeoutMs : own };
  }

  /** The server's answer to `tools/list`, as the agents see it. */
  list(outcome: Outcome, isComplete: boolean): Outcome {
    const { result } = outcome;
    if (!isRecord(result) || !Array.isArray(result['tools'])) return outcome;
    const listed: readonly unknown[] = result['tools'];
    if (isComplete && result['nextCursor'] === undefined) this.#check(listed);
    return { result: { ...result, tools: listed.flatMap((tool) => this.#shown(tool)) } };
  }

  #shown(tool: unknown): readonly unknown[] {
    const name: unknown = isRecord(tool) ? tool['name'] : undefined;
    if (typeof name !== 'string' || !this.#isOffered(name)) return [];
    const shown = this.#renamed.get(name);
    // Another tool was given this name, and a call reaches that one.
    if (shown === undefined) return this.#originals.has(name) ? [] : [tool];
    return [{ ...(tool as Fields), name: shown }];
  }

  #originalOf(shown: string): string | undefined {
    const name = this.#originals.get(shown) ?? (this.#renamed.has(shown) ? undefined : shown);
    return name !== undefined && this.#isOffered(name) ? name : undefined;
  }

  #isOffered(name: string): boolean {
    const { only, without } = this.#selection;
    if (without?.some((hidden) => alike(hidden) === alike(name)) === true) return false;
    return only === undefined || only.includes(name);
  }

  /** A misspelt name in `without` would leave a tool in the list that is to be hidden. */
  #check(listed: readonly unknown[]): void {
    if (this.#isChecked) return;
    this.#isChecked = true;
    const names = listed.map((tool) => (isRecord(tool) ? tool['name'] : undefined));
    const { only = [], without = [], timeoutMs } = this.#selection;
    const meant = {
      only,
      without,
      rename: [...this.#renamed.keys()],
      timeoutMs: isRecord(timeoutMs) ? Object.keys(timeoutMs) : [],
    };
    for (const [option, tools] of Object.entries(meant)) {
      const unknown = tools.filter((tool) => !names.includes(tool));
      if (unknown.length > 0)
        this.#onMistake(
          `tools.${option} names ${unknown.join(', ')}, which the server does not have. It has ${names.join(', ')}.`,
        );
    }
    const hidden = [...this.#originals.keys()].filter((shown) => names.includes(shown) && !this.#renamed.has(shown));
    for (const name of hidden)
      this.#onMistake(`tools.rename gives the name ${name} to another tool, and hides the tool of that name.`);
  }
}

/** What is to be hidden is hidden although it is written with other capitals, or with `_` for `-`. */
const alike = (name: string): string => name.toLowerCase().replaceAll('-', '_');
