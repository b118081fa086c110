import type { Direction, Json } from './entry.ts';

/*
 * What an inspector shows of a run. A row is one line of the tape; everything else points to rows by their number,
 * so that the page keeps each line once.
 */

export type RowKind = 'ask' | 'hook' | 'message' | 'piece' | 'process' | 'request' | 'server' | 'system' | 'tool';

/** One line of the tape. */
export interface Row {
  /** From 0, without a gap. */
  readonly index: number;
  /** The exact line. */
  readonly line: string;
  readonly t: number;
  readonly agent: number;
  readonly direction: Direction;
  readonly kind: RowKind;
  /** Such as `assistant`, `system/init`, `can_use_tool`, `exit`. */
  readonly type: string;
  /** The number of its turn in the agent; 0 before the first. */
  readonly turn: number;
  /** The tool that it is about. */
  readonly tool: string | undefined;
  /** The tool call whose subagent wrote it. */
  readonly parent: string | undefined;
  /** What it is a part of: the call of a tool, a question to the program, a request of the program. */
  readonly call: ToolCall | undefined;
  readonly ask: Ask | undefined;
  readonly request: Request | undefined;
}

/** What was spent, as the agent counts it. */
export interface Amounts {
  readonly cost: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface Turn {
  readonly number: number;
  /** What the program sent for it: several messages may be answered together, and a turn of the agent has none. */
  readonly prompts: string[];
  readonly from: number;
  readonly firstRow: number;
  to: number | undefined;
  /** `running`, or how its result names its end. */
  outcome: string;
  hasFailed: boolean;
  amounts: Amounts | undefined;
  calls: number;
}

/** Who decided, in words for a reader. */
export interface Answer {
  readonly t: number;
  readonly row: number;
  readonly by: string;
  readonly outcome: 'allowed' | 'answered' | 'blocked' | 'denied' | 'failed' | 'withdrawn';
  readonly reason: string | undefined;
}

/** What the agent asks the program, and waits for. */
export interface Ask {
  readonly id: string;
  readonly kind: 'dialog' | 'elicitation' | 'hook' | 'permission' | 'plan' | 'question' | 'tool';
  /** The tool, the event of a hook, the server. */
  readonly subject: string;
  /** The tool call that it is about. */
  readonly call: string | undefined;
  readonly t: number;
  readonly row: number;
  readonly turn: number;
  answer: Answer | undefined;
}

/** What the program asks the agent, such as `interrupt`. */
export interface Request {
  readonly id: string;
  readonly subtype: string;
  readonly t: number;
  readonly row: number;
  answer: { readonly t: number; readonly row: number; readonly error: string | undefined } | undefined;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: Json;
  readonly t: number;
  readonly row: number;
  readonly turn: number;
  /** The call of the subagent that made it. */
  readonly parent: string | undefined;
  readonly asks: Ask[];
  result: ToolResult | undefined;
  /** Who decided that it may run, where the agent reports it. */
  decision: { readonly isAllowed: boolean; readonly by: string } | undefined;
  subagent: Subagent | undefined;
}

export interface ToolResult {
  readonly t: number;
  readonly row: number;
  readonly isError: boolean;
  readonly content: unknown;
}

export interface Subagent {
  readonly type: string;
  readonly description: string;
  readonly t: number;
  status: string;
  to: number | undefined;
}

export interface Agent {
  readonly number: number;
  readonly from: number;
  readonly firstRow: number;
  sessionId: string | undefined;
  model: string | undefined;
  version: string | undefined;
  readonly turns: Turn[];
  readonly calls: Map<string, ToolCall>;
  readonly asks: Map<string, Ask>;
  readonly requests: Map<string, Request>;
  /** Since when the program does not read. */
  pausedSince: number | undefined;
  pausedFor: number;
  pauses: number;
  rows: number;
  /** How it left, such as `exited with 0`. */
  exit: string | undefined;
  hasFailed: boolean;
  to: number | undefined;
}

export const nothingSpent: Amounts = { cost: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export function sumOf(all: readonly Amounts[]): Amounts {
  return all.reduce(
    (sum, each) => ({
      cost: sum.cost + each.cost,
      input: sum.input + each.input,
      output: sum.output + each.output,
      cacheRead: sum.cacheRead + each.cacheRead,
      cacheWrite: sum.cacheWrite + each.cacheWrite,
    }),
    nothingSpent,
  );
}

/** The part of the input that came from the cache, from 0 to 1; `undefined` where nothing was sent. */
export function cachedPart({ input, cacheRead, cacheWrite }: Amounts): number | undefined {
  const all = input + cacheRead + cacheWrite;
  return all === 0 ? undefined : cacheRead / all;
}

/** How far the time of a call was spent on waiting for the program to answer. */
export function waitedFor(call: ToolCall, now: number): number {
  return call.asks.reduce((sum, ask) => sum + ((ask.answer?.t ?? now) - ask.t), 0);
}

export type CallState = 'denied' | 'done' | 'failed' | 'running' | 'stopped' | 'waiting';

export function stateOf(call: ToolCall, agent: Agent): CallState {
  if (call.decision?.isAllowed === false || call.asks.some(({ answer }) => answer?.outcome === 'denied'))
    return 'denied';
  if (call.result !== undefined) return call.result.isError ? 'failed' : 'done';
  if (agent.exit !== undefined || agent.turns[call.turn - 1]?.to !== undefined) return 'stopped';
  return call.asks.some(({ kind, answer }) => kind !== 'tool' && answer === undefined) ? 'waiting' : 'running';
}
