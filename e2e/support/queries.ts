import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { query, type Options, type SDKUserMessage } from '@hexagent/sdk/claude-agent-sdk';
import { cli } from './cli.ts';
import type { Stage } from './stage.ts';
import { callOnce } from './tool-calls.ts';

export const optionsOf = (place: Stage, options: Options = {}): Options => ({
  cwd: place.home.cwd,
  env: { ...place.env },
  pathToClaudeCodeExecutable: cli,
  ...options,
});

/** The last result of a query. */
export async function run(
  place: Stage,
  options: Options,
  prompt: string | AsyncIterable<SDKUserMessage> = 'go',
): Promise<string> {
  let text = '';
  for await (const message of query({ prompt, options: optionsOf(place, options) }))
    if (message.type === 'result' && message.subtype === 'success') text = message.result;
  return text;
}

export const made = (place: Stage, name = 'made'): boolean => existsSync(join(place.home.cwd, name));
export const touch: ReturnType<typeof callOnce> = callOnce('Bash', { command: 'touch made' });
