import type { Options, OwnOptions, SDKMessage, SDKUserMessage } from '@hexagent/sdk/claude-agent-sdk';
import { cli } from '../support/cli.ts';
import type { Stage } from '../support/stage.ts';

export const optionsOf = (place: Stage, change: Options = {}): Options => ({
  cwd: place.home.cwd,
  env: { ...place.env },
  pathToClaudeCodeExecutable: cli,
  ...change,
});
export type OptionsOfQuery = Options & OwnOptions;
export const userMessage = (content: string): SDKUserMessage => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  session_id: '',
});

export async function collect(messages: AsyncIterable<SDKMessage>, seen: SDKMessage[] = []): Promise<SDKMessage[]> {
  for await (const message of messages) seen.push(message);
  return seen;
}

export const results = (messages: readonly SDKMessage[]): unknown[] =>
  messages.flatMap((message) =>
    message.type === 'result' ? [message.subtype === 'success' ? message.result : message.subtype] : [],
  );
