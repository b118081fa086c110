import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  query,
  type Options,
  type SDKMessage,
  type SessionKey,
  type SessionStoreEntry,
} from '@hexagent/sdk/claude-agent-sdk';
import { toolUse, type ModelRequest } from '@hexagent/testing/loopback';
import { afterEach, beforeEach } from 'vitest';
import { byPrompt } from '../support/by-prompt.ts';
import { stage, type Stage } from '../support/stage.ts';

export const model = byPrompt({
  'use a tool': toolUse('Bash', { command: 'echo from-the-tool' }),
  'dig deep': 'dug up something',
  'ask another': toolUse('Agent', {
    description: 'look',
    prompt: 'dig deep',
    subagent_type: 'general-purpose',
    run_in_background: false,
  }),
});

/** The place of the test that runs. */
export let place: Stage;

/** Each test of a file has a place of its own, where the files of launches are written too. */
export function placeForEach(): void {
  let before: string | undefined;
  beforeEach(async () => {
    place = await stage(model);
    before = process.env['TMPDIR'];
    process.env['TMPDIR'] = place.home.tmp;
  });
  afterEach(async () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    await place[Symbol.asyncDispose]();
  });
}

export interface Conversed {
  readonly id: string;
  readonly messages: readonly SDKMessage[];
}

export async function converse(
  prompt: string,
  options: Options,
  { at = place, cwd = place.home.cwd } = {},
): Promise<Conversed> {
  const env = { ...at.env };
  const executable = at.options.executable ?? '';
  const messages: SDKMessage[] = [];
  const given = { pathToClaudeCodeExecutable: executable, cwd, env, allowedTools: ['Bash', 'Agent'], ...options };
  for await (const message of query({ prompt, options: given })) messages.push(message);
  const result = messages.find((message) => message.type === 'result');
  if (result === undefined) throw new Error(`${prompt} has no result.`);
  return { id: result.session_id, messages };
}

export const projectKey = (): string => place.home.cwd.replaceAll(/[^A-Za-z0-9]/g, '-');
export const keyOf = (sessionId: string, subpath?: string): SessionKey =>
  subpath === undefined ? { projectKey: projectKey(), sessionId } : { projectKey: projectKey(), sessionId, subpath };
export const leftBehind = (): string[] =>
  readdirSync(place.home.tmp).filter((name) => name.startsWith('hexagent-launch-'));
export const textsOf = ({ body }: ModelRequest): string => JSON.stringify(body.messages);

/** The lines of a transcript that are handed over: the agent keeps its requests to the model to itself. */
export function linesOf(path: string): readonly SessionStoreEntry[] {
  const text = readFileSync(join(place.home.home, '.claude/projects', projectKey(), path), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines
    .map((line) => JSON.parse(line) as SessionStoreEntry)
    .filter(({ type }) => !type.startsWith('api-request'));
}
