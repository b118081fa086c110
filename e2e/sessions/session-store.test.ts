import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InMemorySessionStore, query, type SessionKey, type SessionStoreEntry } from '@hexagent/sdk/claude-agent-sdk';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { converse, keyOf, linesOf, place, placeForEach, projectKey } from './conversing.ts';

withCli('A session with a store', () => {
  placeForEach();

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
