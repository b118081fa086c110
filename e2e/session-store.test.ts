import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  InMemorySessionStore,
  query,
  type Options,
  type SDKMessage,
  type SessionKey,
  type SessionStoreEntry,
} from '@hexagent/sdk/claude-agent-sdk';
import { toolUse, type ModelRequest } from '@hexagent/testing/loopback';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { byPrompt } from './support/by-prompt.ts';
import { withCli } from './support/cli.ts';
import { stage, type Stage } from './support/stage.ts';

const model = byPrompt({
  'use a tool': toolUse('Bash', { command: 'echo from-the-tool' }),
  'dig deep': 'dug up something',
  'ask another': toolUse('Agent', {
    description: 'look',
    prompt: 'dig deep',
    subagent_type: 'general-purpose',
    run_in_background: false,
  }),
});

/** Where the files of launches are written, apart from those of other tests. */
let place: Stage;
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

interface Conversed {
  readonly id: string;
  readonly messages: readonly SDKMessage[];
}

async function converse(
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

const projectKey = (): string => place.home.cwd.replaceAll(/[^A-Za-z0-9]/g, '-');
const keyOf = (sessionId: string, subpath?: string): SessionKey =>
  subpath === undefined ? { projectKey: projectKey(), sessionId } : { projectKey: projectKey(), sessionId, subpath };
const leftBehind = (): string[] => readdirSync(place.home.tmp).filter((name) => name.startsWith('hexagent-launch-'));
const textsOf = ({ body }: ModelRequest): string => JSON.stringify(body.messages);

/** The lines of a transcript that are handed over: the agent keeps its requests to the model to itself. */
function linesOf(path: string): readonly SessionStoreEntry[] {
  const text = readFileSync(join(place.home.home, '.claude/projects', projectKey(), path), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines
    .map((line) => JSON.parse(line) as SessionStoreEntry)
    .filter(({ type }) => !type.startsWith('api-request'));
}

withCli('A session with a store', () => {
  it('#12 is in the store as it is in the folder of the agent: tools, subagents and a compaction', async () => {
    const sessionStore = new InMemorySessionStore();
    const { id } = await converse('use a tool', { sessionStore });
    expect(sessionStore.getEntries(keyOf(id))).toEqual(linesOf(`${id}.jsonl`));
    await converse('ask another', { sessionStore, continue: true });
    const [subpath = '', ...more] = await sessionStore.listSubkeys(keyOf(id));
    expect([subpath, more]).toEqual([expect.stringMatching(/^subagents\/agent-/), []]);
    const ofSubagent = sessionStore.getEntries(keyOf(id, subpath));
    expect(JSON.stringify(ofSubagent)).toContain('dug up something');
    expect(ofSubagent.some(({ type }) => type === 'agent_metadata')).toBe(true);
    await converse('/compact', { sessionStore, resume: id });
    const entries = sessionStore.getEntries(keyOf(id));
    expect(entries.some((entry) => entry['subtype'] === 'compact_boundary')).toBe(true);
    // Nothing is stored twice, although a resumed agent has read it all again.
    const uuids = entries.flatMap(({ uuid }) => (uuid === undefined ? [] : [uuid]));
    expect(new Set(uuids).size).toBe(uuids.length);
    const [summary] = await sessionStore.listSessionSummaries(projectKey());
    expect(summary).toMatchObject({ sessionId: id, data: { firstPrompt: 'use a tool', cwd: place.home.cwd } });
  });

  it('#12 continues where its folder is empty, also as a copy or as the newest, and leaves nothing there', async () => {
    const sessionStore = new InMemorySessionStore();
    const { id } = await converse('use a tool', { sessionStore });
    await using elsewhere = await stage(model);
    const there = { at: { ...elsewhere, loopback: place.loopback, env: { ...place.env, HOME: elsewhere.home.home } } };
    const resumed = await converse('and now', { sessionStore, resume: id }, there);
    expect(resumed.id).toBe(id);
    const [request] = place.loopback.requests.slice(-1);
    expect(request && textsOf(request)).toContain('from-the-tool');
    expect(JSON.stringify(sessionStore.getEntries(keyOf(id)))).toContain('and now');
    const copied = await converse('a copy', { sessionStore, resume: id, forkSession: true }, there);
    expect(copied.id).not.toBe(id);
    expect(JSON.stringify(sessionStore.getEntries(keyOf(copied.id)))).toContain('from-the-tool');
    expect((await converse('the newest', { sessionStore, continue: true }, there)).id).toBe(copied.id);
    expect(existsSync(join(elsewhere.home.home, '.claude/projects'))).toBe(false);
    expect(leftBehind()).toEqual([]);
  });

  it('continues with the instructions and skills of the person', async () => {
    const sessionStore = new InMemorySessionStore();
    const claude = join(place.home.home, '.claude');
    await mkdir(join(claude, 'skills/greeting'), { recursive: true });
    await writeFile(join(claude, 'CLAUDE.md'), 'The person likes walruses.');
    await writeFile(
      join(claude, 'skills/greeting/SKILL.md'),
      '---\nname: greeting\ndescription: Says hello\n---\nHello',
    );
    const systemPrompt = { type: 'preset', preset: 'claude_code' } as const;
    const { id } = await converse('one', { sessionStore, systemPrompt });
    const { messages } = await converse('two', { sessionStore, systemPrompt, resume: id });
    const init = messages.find((message) => message.type === 'system' && message.subtype === 'init');
    expect(JSON.stringify(init)).toContain('"greeting"');
    const [request] = place.loopback.requests.slice(-1);
    expect(JSON.stringify(request?.body)).toContain('walruses');
  });

  it('continues when the store fails, and the program receives what is missing, before the result', async () => {
    const broken = {
      append: (): Promise<void> => Promise.reject(new Error('no database')),
      load: async () => null,
    };
    const { id, messages } = await converse('use a tool', { sessionStore: broken });
    const kinds = messages.map((message) => (message.type === 'system' ? message.subtype : message.type));
    expect(kinds.indexOf('mirror_error')).toBeGreaterThan(-1);
    expect(kinds.indexOf('mirror_error')).toBeLessThan(kinds.indexOf('result'));
    expect(messages).toContainEqual(expect.objectContaining({ error: 'no database', key: keyOf(id) }));
    expect(messages).toContainEqual(expect.objectContaining({ type: 'result', subtype: 'success' }));
  });

  it('is given each part at once where it is to be', async () => {
    const calls: number[] = [];
    const kept = new InMemorySessionStore();
    const sessionStore = {
      append: (key: SessionKey, entries: SessionStoreEntry[]) => (
        calls.push(entries.length),
        kept.append(key, entries)
      ),
      load: (key: SessionKey) => kept.load(key),
    };
    const { id } = await converse('use a tool', { sessionStore, sessionStoreFlush: 'eager' });
    expect(calls.length).toBeGreaterThan(2);
    expect(kept.getEntries(keyOf(id))).toEqual(linesOf(`${id}.jsonl`));
  });

  it('has everything in the store when the loop is left early', async () => {
    const kept = new InMemorySessionStore();
    let id = '';
    const options = { pathToClaudeCodeExecutable: place.options.executable ?? '', cwd: place.home.cwd, env: place.env };
    for await (const message of query({ prompt: 'hello', options: { ...options, sessionStore: kept } })) {
      if (message.type !== 'assistant') continue;
      id = message.session_id;
      break;
    }
    // The agent ends in the background, and what it wrote until then is stored.
    await expect.poll(() => kept.getEntries(keyOf(id)).filter(({ type }) => type === 'user')).not.toEqual([]);
  });
});
