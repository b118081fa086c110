import type { SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import { expect } from 'vitest';

/** The message of a failure, as a program receives it. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  /** What a refused claim has claimed all the same. */
  readonly claim?: unknown;
}

/** How a call fails; `undefined` when it does not. */
export async function failureOf(call: () => unknown): Promise<Failure | undefined> {
  try {
    await call();
    return undefined;
  } catch (error) {
    const { name, message, claim } = error as Error & { readonly claim?: unknown };
    return { name, message, ...(claim !== undefined && { claim }) };
  }
}

/** Asserts that the same failed, in messages that begin with the same words; the official ones may continue otherwise. */
export function failsAlike(ours: Notes, official: Notes): void {
  expect(Object.keys(ours).toSorted()).toEqual(Object.keys(official).toSorted());
  for (const [name, note] of Object.entries(official)) {
    const our = ours[name];
    if (!isFailure(note)) expect(our, name).toEqual(note);
    else if (isFailure(our)) {
      expect(our.message.startsWith(firstSentence(note.message)), `${our.message} | ${note.message}`).toBe(true);
      expect(our.claim, name).toEqual(note.claim);
    } else expect.unreachable(`${name} did not fail: ${note.message}`);
  }
}

type Notes = Readonly<Record<string, unknown>>;

function isFailure(note: unknown): note is Failure {
  return typeof note === 'object' && note !== null && 'message' in note && 'name' in note;
}

/** The first sentence, without what the official package adds to it. */
const firstSentence = (message: string): string => message.split(/\. |; | — | stderr/)[0] ?? '';

/** A prompt of these messages. */
export async function* messageOf(...texts: readonly string[]): AsyncGenerator<SDKUserMessage, void> {
  for (const content of texts) yield { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null };
}
