import { appendFileSync, cpSync, globSync } from 'node:fs';
import path from 'node:path';
import { ask, openSession, type SessionOptions } from '@hexagent/sdk';
import { lastUserText, text, toolResults, toolUse, type ModelRequest, type TurnLike } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';
import { comparable, StoredPlace } from './stored-places.ts';
import type { Sdk } from './sdks.ts';

/** Calls the tool that the message names, and then answers with its result. */
function play(request: ModelRequest): TurnLike {
  const newest = JSON.stringify(request.body.messages.at(-1));
  if (toolResults(request).length > 0) return 'done';
  if (newest.includes('at once'))
    return [text('Both.'), ...['one', 'two', 'three'].map((word) => toolUse('Bash', { command: `echo ${word}` }))];
  if (newest.includes('a subagent'))
    return toolUse('Agent', { description: 'help', prompt: 'help me', subagent_type: 'general-purpose' });
  if (newest.includes('slowly')) return toolUse('Bash', { command: 'sleep 1; echo slept' });
  return `heard: ${lastUserText(request).slice(0, 30)}`;
}

const optionsOf = (place: Stage): SessionOptions => ({ ...place.options, permissions: { mode: 'allow' } });

async function askFor(message: string, options: SessionOptions): Promise<string> {
  const outcome = await ask(message, options).result;
  if (outcome.kind !== 'completed') throw new Error(`${outcome.kind}: ${JSON.stringify(outcome)}`);
  return outcome.result.session_id;
}

/** A conversation with everything in it that makes a transcript hard to read. */
async function converse(place: Stage): Promise<string> {
  const session = await openSession(optionsOf(place));
  try {
    for (const message of ['Hello', 'call three at once', 'start a subagent'])
      expect(await session.send(message).result).toMatchObject({ kind: 'completed' });
    const slow = session.send('work slowly');
    for await (const message of slow) if (message.type === 'assistant') break;
    await Promise.all([slow.result, session.send('and this meanwhile').result]);
    await session.idle();
    return session.sessionId ?? '';
  } finally {
    await session.close();
  }
}

/** Everything that the reading functions return for the existing sessions. */
async function readings(sdk: Sdk): Promise<unknown> {
  const sessions = await sdk.listSessions();
  const each = sessions.map(async ({ sessionId }) => {
    const agents = (await sdk.listSubagents(sessionId)).toSorted();
    return {
      info: await sdk.getSessionInfo(sessionId),
      messages: await sdk.getSessionMessages(sessionId),
      all: await sdk.getSessionMessages(sessionId, { includeSystemMessages: true }),
      page: await sdk.getSessionMessages(sessionId, { offset: 2, limit: 3 }),
      agents,
      agentMessages: await Promise.all(agents.map((agent) => sdk.getSubagentMessages(sessionId, agent))),
    };
  });
  return { sessions, each: await Promise.all(each) };
}

/** Runs a program with ours on what the CLI of a stage has stored. */
async function change(place: Stage, program: (sdk: Sdk) => Promise<void>): Promise<void> {
  const before = process.env['CLAUDE_CONFIG_DIR'];
  process.env['CLAUDE_CONFIG_DIR'] = path.join(place.home.home, '.claude');
  try {
    // As what it claims to be; where its types differ is the business of `e2e/types`.
    await program((await import('@hexagent/sdk/claude-agent-sdk')) as unknown as Sdk);
  } finally {
    if (before === undefined) delete process.env['CLAUDE_CONFIG_DIR'];
    else process.env['CLAUDE_CONFIG_DIR'] = before;
  }
}

const transcriptOf = (place: Stage, sessionId: string): string => {
  const [file = ''] = globSync(`.claude/projects/*/${sessionId}.jsonl`, { cwd: place.home.home });
  return path.join(place.home.home, file);
};

/** What the model was sent last, as one text. */
const lastRequest = (place: Stage): string => JSON.stringify(place.loopback.requests.at(-1)?.body.messages);

withCli('#43 A transcript that the real CLI wrote', () => {
  it('is read as in the official package: tools at once, subagents, messages in between, a compaction, resumed and forked', async () => {
    await using place = await stage(play);
    const id = await converse(place);
    await askFor('again', { ...optionsOf(place), resume: id });
    await askFor('another way', { ...optionsOf(place), resume: id, fork: true });
    const compacted = await openSession({ ...optionsOf(place), resume: id });
    await compacted.send('/compact').result;
    await compacted.send('after it').result;
    await compacted.close();
    using copies = new StoredPlace();
    cpSync(path.join(place.home.home, '.claude'), copies.config, { recursive: true, preserveTimestamps: true });
    const official = comparable(await copies.run('official', readings));
    expect(comparable(await copies.run('ours', readings))).toEqual(official);
    expect(JSON.stringify(official)).toMatch(/and this meanwhile/);
    expect(official).toMatchObject({ sessions: [{}, {}] });
  }, 120_000);
});

withCli('A stored session that was changed', () => {
  it('is resumed by the real CLI with its history, and keeps its title and tag', async () => {
    await using place = await stage(play);
    const id = await askFor('the first message', optionsOf(place));
    appendFileSync(transcriptOf(place, id), '{"type":"user","message":{"role":"us');
    await change(place, async (sdk) => {
      await sdk.renameSession(id, 'A name');
      await sdk.tagSession(id, 'a-tag');
      await sdk.archiveSession(id);
      expect(await sdk.getSessionInfo(id)).toMatchObject({ customTitle: 'A name', tag: 'a-tag', archived: true });
    });
    expect(await askFor('the second message', { ...optionsOf(place), resume: id })).toBe(id);
    expect(lastRequest(place)).toMatch(/the first message.*heard: .*the second message/);
    await change(place, async (sdk) => {
      expect(await sdk.getSessionInfo(id)).toMatchObject({ customTitle: 'A name', tag: 'a-tag', archived: false });
      expect(await sdk.getSessionMessages(id)).toHaveLength(4);
    });
  });

  it('is not found by the real CLI once it was deleted', async () => {
    await using place = await stage(play);
    const id = await askFor('Hello', optionsOf(place));
    await change(place, (sdk) => sdk.deleteSession(id));
    const outcome = await ask('again', { ...optionsOf(place), resume: id }).result.catch((error: unknown) => error);
    expect(outcome).not.toMatchObject({ kind: 'completed' });
    expect(globSync(`.claude/projects/**/${id}*`, { cwd: place.home.home })).toEqual([]);
  });
});

withCli('A fork of a stored session', () => {
  it('is resumed by the real CLI by itself, up to the message that was named', async () => {
    await using place = await stage(play);
    const id = await converse(place);
    await change(place, async (sdk) => {
      const messages = await sdk.getSessionMessages(id);
      const last = messages.findIndex((message) => JSON.stringify(message).includes('start a subagent'));
      const upToMessageId = messages[last - 1]?.uuid ?? '';
      const whole = await sdk.forkSession(id);
      const part = await sdk.forkSession(id, { upToMessageId });
      expect(await sdk.getSessionMessages(whole.sessionId)).toHaveLength(messages.length);
      expect(await sdk.getSessionMessages(part.sessionId)).toHaveLength(last);
      expect(await askFor('on with it', { ...optionsOf(place), resume: whole.sessionId })).toBe(whole.sessionId);
      expect(lastRequest(place)).toMatch(/Hello.*at once.*three.*a subagent.*slowly.*meanwhile.*on with it/);
      await askFor('on with a part', { ...optionsOf(place), resume: part.sessionId });
      expect(lastRequest(place)).toMatch(/Hello.*at once.*three.*on with a part/);
      expect(lastRequest(place)).not.toMatch(/a subagent.*on with a part/);
      expect((await sdk.getSessionMessages(id)).map(({ uuid }) => uuid)).toEqual(messages.map(({ uuid }) => uuid));
    });
  }, 120_000);

  it('of a compacted one is resumed with the summary and what was kept', async () => {
    await using place = await stage(play);
    const session = await openSession(optionsOf(place));
    for (const message of ['before it', '/compact', 'after it']) await session.send(message).result;
    const id = session.sessionId ?? '';
    await session.close();
    await change(place, async (sdk) => {
      const { sessionId } = await sdk.forkSession(id);
      await askFor('on with it', { ...optionsOf(place), resume: sessionId });
      const texts = (await sdk.getSessionMessages(sessionId)).map((message) => JSON.stringify(message));
      expect(texts[0]).toContain('isCompactSummary');
      expect(lastRequest(place)).toMatch(/continued from a previous conversation.*after it.*on with it/);
    });
  });
});
