/** Where a replay departs from the recording, and why that is wanted. What is listed here and does not happen fails. */
export interface Wanted {
  readonly why: string;
  /** Each matches one difference in what our stack writes. */
  readonly differences?: readonly RegExp[];
  /** How the loop ends with us, where it ended otherwise with the official SDK. */
  readonly ending?: 'done' | 'threw';
  /** How many messages the program sees, where it saw more with the official SDK. */
  readonly yielded?: number;
}

/*
 * Everywhere, and therefore left out of the comparison in replay.ts:
 * - our messages have a uuid, so that their turns can be identified (DESIGN 5);
 * - the official SDK adds `toolUseID` to what a permission callback answers, which the CLI ignores;
 * - it sends the manifests of in-process servers, to spare the CLI a handshake.
 */

const endsNow: Wanted = {
  why: 'Leaving interrupts the turn first, so that the CLI stops at once, and is over for the program at once.',
  differences: [/^also written: .*"cancel_queued":true,"subtype":"interrupt"/],
};

const neverEnded: Wanted = {
  why: 'The recording killed the CLI and went no further; an agent that dies with a turn open is an error.',
  ending: 'threw',
};

/** The tape has no marks for a uuid that we added, which the CLI would have sent. */
const halfMarked: Wanted = {
  why: 'Recorded with a uuid on one message and none on another. Ours all have one, and the CLI reports for each how it ended.',
  differences: [/^our input was not ended at the exit/],
  ending: 'threw',
};

export const wanted: Readonly<Record<string, Wanted>> = {
  '08-canUseTool-bad-shapes': {
    why: 'An invalid answer becomes a denial that names the mistake of the callback.',
    differences: [
      /^written: .*returned the behavior \\"maybe\\"\..* instead of .*"behavior":"maybe"/,
      /^written: .*returned an object without keys\./,
      /^written: .*"Denied: the permission callback refused the call without a message\."/,
    ],
  },
  '11-hook-invalid-output': {
    why: 'An answer that the CLI would ignore was meant to have an effect: the call is refused, with the mistake.',
    differences: [/^written: .*"permissionDecision":"deny".*`decision` is .* instead of .*"decision":"perhaps"/],
  },
  '21-interrupt-during-permission': {
    why: 'A request that the CLI has withdrawn is not answered.',
    differences: [/^not written: .*"behavior":"deny","message":"aborted"/],
  },
  '22-replay-user-messages': halfMarked,
  '33-api-401': neverEnded,
  '40-generator-throws': {
    why: 'The program gets its own error at once, and the agent is ended.',
    differences: endsNow.differences ?? [],
    yielded: 0,
  },
  '41-abort-during-bash': { ...endsNow, yielded: 2 },
  '41-abort-during-stream': endsNow,
  '41-break-from-iterator': endsNow,
  '41-close-during-stream': endsNow,
  '58-long-hang-65s': neverEnded,
  '74-interrupt-during-sdk-mcp-call': {
    why: 'Every request is answered, a cancelled one as well.',
    differences: [/^also written: .*"The call was cancelled\."/],
  },
};

/** Recordings of what is not built yet: the option or the method is refused, so nothing after it can be as recorded. */
export const notYet: Readonly<Record<string, string>> = {
  '20-control-requests-all-query-methods': 'in-process servers in setMcpServers(), reinitialize()',
  '36-verbatim-prompt': 'verbatimPrompts',
  '57-mcp-set-servers-live': 'in-process servers in setMcpServers()',
  '96-prewarm-claim': 'prewarm() and claim()',
};
