import { readFileSync } from 'node:fs';
import type { DecisionKind } from './plan.ts';

/** A line of the scripted agent's log: what it did, in order. */
export interface AgentEvent {
  readonly on: string;
  /** The number of a message. */
  readonly n?: number;
  readonly id?: string;
  readonly key?: string;
  readonly what?: string;
  readonly how?: string;
  readonly uuid?: string;
  readonly cancels?: boolean;
  readonly pid?: number;
  /** The length of a line. */
  readonly bytes?: number;
  readonly response?: { readonly subtype?: string; readonly response?: { readonly behavior?: string } };
}

/** What the program saw in one run: what the invariants are checked against, beside the agent's log. */
export interface Account {
  /** The names of the messages each reader got, in order. */
  readonly read: Map<string, string[]>;
  /** What the permission callback decided, by the command it was asked about. */
  readonly decided: Map<string, DecisionKind>;
  /** What was awaited, and how it settled; a promise that is open has no entry in `settled`. */
  readonly begun: Set<string>;
  readonly settled: Map<string, Settled>;
  /** The program stopped reading, or ended the conversation, before the agent had ended it. */
  isCut: boolean;
  /** Promises that were open although their bound had passed, by name. */
  readonly hung: string[];
}

export type Settled = { readonly value: unknown } | { readonly error: unknown };

export function newAccount(): Account {
  return {
    read: new Map(),
    decided: new Map(),
    begun: new Set(),
    settled: new Map(),
    isCut: false,
    hung: [],
  };
}

export function readLog(file: string): readonly AgentEvent[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return []; // it was ended before it could write a word
  }
  // A line that was cut off belongs to an event that was not finished.
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as AgentEvent];
    } catch {
      return [];
    }
  });
}
