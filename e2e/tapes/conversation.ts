import { CliTransport } from '@hexagent/cli-transport';
import { allow, createSdk, deny, type AgentMessage, type SessionOptions, type TurnOutcome } from '@hexagent/sdk';
import { recordTo } from '@hexagent/tapes';
import { CountedIds } from '@hexagent/testing';
import { gate, lastUserText, text, toolUse, type Script } from '@hexagent/testing/loopback';
import { cli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';

/** What a program sees of a conversation. */
export interface Seen {
  readonly messages: readonly AgentMessage[];
  readonly outcomes: readonly TurnOutcome[];
  /** Calls of hooks and questions, in order. */
  readonly called: readonly string[];
  readonly exitCode: number | null;
}

/** The model's side: one call that is allowed, one that is denied, and an answer that is interrupted. */
export const script: Script = (request) => {
  const said = lastUserText(request);
  if (said === 'interrupt me') return text(['partial ', gate()]);
  const results = JSON.stringify(request.body.messages).split('"tool_result"').length - 1;
  if (results === 0) return toolUse('Bash', { command: 'echo allowed > made.txt' });
  return results === 1 ? toolUse('Bash', { command: 'rm made.txt' }) : 'I made a file.';
};

/** The program: two turns with tools, hooks, questions and an interrupt. */
export async function converse(options: SessionOptions): Promise<Seen> {
  // The ids of messages are those of the run: with these, two runs are equal.
  const { openSession } = createSdk({ ids: new CountedIds() });
  const messages: AgentMessage[] = [];
  const called: string[] = [];
  const session = await openSession({
    ...options,
    partialMessages: true,
    hooks: {
      PreToolUse: [
        { matcher: 'Bash', hooks: [async ({ tool_input: input }) => (called.push(`hook ${commandOf(input)}`), {})] },
      ],
    },
    onAsk: async ({ input }) => {
      called.push(`ask ${commandOf(input)}`);
      return commandOf(input).startsWith('rm') ? deny('Nothing is removed here.') : allow();
    },
  });
  try {
    const first = session.send('Make a file, then remove it.');
    for await (const message of first) messages.push(message);
    const second = session.send('interrupt me');
    for await (const message of second) {
      messages.push(message);
      if (message.type === 'stream_event' && message.event.type === 'content_block_delta') await second.interrupt();
    }
    const outcomes = [await first.result, await second.result];
    return { messages, outcomes, called, exitCode: (await session.finish()).code };
  } finally {
    await session.close();
  }
}

/** The conversation with the real CLI, and the file in which it is recorded. */
export async function recorded(tape: string): Promise<{ readonly live: Seen; readonly cwd: string }> {
  await using place = await stage(script);
  const { env } = place.options;
  const { cwd } = place.home;
  const transport = recordTo(tape, { transport: new CliTransport({ executable: cli }) });
  return { live: await converse({ cwd, env, transport }), cwd };
}

const commandOf = (input: unknown): string =>
  typeof input === 'object' && input !== null && 'command' in input ? String(input.command) : '';
