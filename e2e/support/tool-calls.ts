import { tool } from '@hexagent/sdk';
import { toolResults, toolUse, type ModelRequest, type TurnLike } from '@hexagent/testing/loopback';
import { z } from 'zod';

/** Calls Bash, about which the CLI asks, and then answers with `then`. */
export const afterTool =
  (then: (request: ModelRequest) => TurnLike) =>
  (request: ModelRequest): TurnLike =>
    toolResults(request).length === 0 ? toolUse('Bash', { command: 'touch made' }) : then(request);

/** Calls this tool once; the text of the second answer contains its result. */
export const callOnce =
  (name: string, input: Readonly<Record<string, unknown>>) =>
  (request: ModelRequest): TurnLike => {
    const [result] = toolResults(request);
    return result === undefined ? toolUse(name, input) : `The tool said: ${result.text}`;
  };

/** Makes all these calls once; the text of the second answer lists their results. */
export const callAll =
  (...calls: readonly ReturnType<typeof toolUse>[]) =>
  (request: ModelRequest): TurnLike => {
    const results = toolResults(request);
    return results.length === 0
      ? [...calls]
      : results
          .map((result) => result.text)
          .toSorted()
          .join('; ');
  };

/** A tool that only reads, so that the agent calls it several times at once. */
export const echo = tool(
  'echo',
  'Says it again.',
  { words: z.string() },
  async ({ words }) => ({ content: [{ type: 'text', text: `echo ${words}` }] }),
  { annotations: { readOnlyHint: true } },
);
