import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InMemorySessionStore } from '@hexagent/sdk/claude-agent-sdk';
import { openSession, tool, type Rewound, type Session, type SessionOptions, type Turn } from '@hexagent/sdk';
import { gate, text, toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { byPrompt } from '../support/by-prompt.ts';
import { withCli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';

const until = gate();
/** The second turn changes a file, makes one, and lets a command make another. */
const model = byPrompt({
  first: toolUse('Write', { file_path: 'a.txt', content: 'one' }),
  second: [
    toolUse('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' }),
    toolUse('Write', { file_path: 'b.txt', content: 'two' }),
    toolUse('Bash', { command: 'echo two > c.txt' }),
  ],
  'ask me': toolUse('mcp__own__greet', {}),
  slowly: toolUse('Bash', { command: 'sleep 1' }),
  wait: text(['partial ', until]),
});

const optionsOf = (place: Stage, more: SessionOptions = {}): SessionOptions => ({
  ...place.options,
  checkpoints: true,
  permissions: { allow: ['Write', 'Edit', 'Bash'], cliMode: 'acceptEdits' },
  ...more,
});

/** Sends each, one after the other, and returns their turns. */
async function converse(session: Session, ...prompts: readonly string[]): Promise<readonly Turn[]> {
  const turns: Turn[] = [];
  for (const prompt of prompts) {
    const turn = session.send(prompt);
    await turn.result;
    turns.push(turn);
  }
  return turns;
}

/** What the model was sent last, of these words. */
function seen({ loopback }: Stage, ...words: readonly string[]): readonly string[] {
  const messages = JSON.stringify(loopback.requests.at(-1)?.body.messages);
  return words.filter((word) => messages.includes(`"${word}`) || messages.includes(`\\n${word}`));
}

const paths = ({ home }: Stage, ...names: readonly string[]): readonly string[] =>
  names.map((name) => join(home.cwd, name));

async function files(place: Stage): Promise<unknown> {
  const [a = '', b = '', c = ''] = paths(place, 'a.txt', 'b.txt', 'c.txt');
  return { a: existsSync(a) ? await readFile(a, 'utf8') : undefined, hasB: existsSync(b), hasC: existsSync(c) };
}

const changed = { a: 'two', hasB: true, hasC: true };
const refused = (message: RegExp): object => ({ code: 'HISTORY_REFUSED', message: expect.stringMatching(message) });

withCli('#61 A rewind', () => {
  it('takes the newest turn back, and the session continues without it, also when it is resumed', async () => {
    await using place = await stage(model);
    await using session = await openSession(optionsOf(place));
    const [, second] = await converse(session, 'first', 'second');
    expect(await session.rewind(second!)).toEqual({ prompt: 'second', files: undefined });
    expect(await files(place)).toEqual(changed);
    await converse(session, 'third');
    expect(seen(place, 'first', 'second', 'third')).toEqual(['first', 'third']);
    const [fourth] = await converse(session, 'fourth');
    await session.rewind(fourth!.id);
    await session.finish();

    await using resumed = await openSession(optionsOf(place, { resume: session.sessionId }));
    const [fifth] = await converse(resumed, 'fifth');
    expect(seen(place, 'first', 'second', 'third', 'fourth', 'fifth')).toEqual(['first', 'third', 'fifth']);
    await resumed.rewind(fifth!);
    await converse(resumed, 'sixth');
    expect(seen(place, 'third', 'fifth', 'sixth')).toEqual(['third', 'sixth']);
  });

  it('of a resumed session takes back turns from before, by their ids, down to the first', async () => {
    await using place = await stage(model);
    const before = await openSession(optionsOf(place));
    const [first, second] = await converse(before, 'first', 'second');
    await before.finish();
    await using session = await openSession(optionsOf(place, { resume: before.sessionId }));
    await session.rewind(second!.id, { files: true });
    expect(await session.rewind(first!.id, { files: true })).toMatchObject({ prompt: 'first' });
    // What a command made is not recorded.
    expect(await files(place)).toEqual({ a: undefined, hasB: false, hasC: true });
    await converse(session, 'again');
    expect(seen(place, 'first', 'second', 'again')).toEqual(['again']);
  });

  it('restores files as they were, after a preview that changes nothing', async () => {
    await using place = await stage(model);
    await using session = await openSession(optionsOf(place));
    const [, second] = await converse(session, 'first', 'second');
    const expected: Rewound['files'] = { changed: paths(place, 'a.txt', 'b.txt'), insertions: 1, deletions: 2 };
    expect(await session.rewind(second!, { files: 'preview' })).toEqual({ prompt: undefined, files: expected });
    expect(await files(place)).toEqual(changed);
    await converse(session, 'third');
    expect(seen(place, 'first', 'second', 'third')).toEqual(['first', 'second', 'third']);

    expect(await session.rewind(second!, { files: 'only' })).toEqual({ prompt: undefined, files: expected });
    expect(await files(place)).toEqual({ a: 'one', hasB: false, hasC: true });
    await converse(session, 'fourth');
    expect(seen(place, 'second', 'third', 'fourth')).toEqual(['second', 'third', 'fourth']);
  });

  it('takes several turns and their files back, if all are named', async () => {
    await using place = await stage(model);
    await using session = await openSession(optionsOf(place));
    const [first, second, third] = await converse(session, 'first', 'second', 'third');
    await expect(session.rewind(second!, { files: true })).rejects.toMatchObject(refused(new RegExp(third!.id)));
    await expect(session.rewind([first!, third!])).rejects.toMatchObject(refused(new RegExp(second!.id)));
    expect(await files(place)).toEqual(changed);
    expect(await session.rewind([second!, third!], { files: true })).toMatchObject({ prompt: 'second' });
    expect(await files(place)).toEqual({ a: 'one', hasB: false, hasC: true });
    await converse(session, 'fourth');
    expect(seen(place, 'first', 'second', 'third', 'fourth')).toEqual(['first', 'fourth']);
    await expect(session.rewind(second!)).rejects.toMatchObject(refused(/has no turn/));
  });

  it('is refused where another program has continued the session', async () => {
    await using place = await stage(model);
    await using session = await openSession(optionsOf(place));
    const [first] = await converse(session, 'first');
    await using other = await openSession(optionsOf(place, { resume: session.sessionId }));
    const [theirs] = await converse(other, 'theirs');
    await expect(session.rewind(first!, { files: true })).rejects.toMatchObject(refused(new RegExp(theirs!.id)));
    expect(await files(place)).toMatchObject({ a: 'one' });
  });

  it('is refused for one of several messages that were answered together', { timeout: 30_000 }, async () => {
    await using place = await stage(model);
    await using session = await openSession(optionsOf(place));
    const slow = session.send('slowly');
    for await (const message of slow) if (message.type === 'assistant') break;
    const [folded, ...merged] = ['folded', 'merged one', 'merged two'].map((prompt) => session.send(prompt));
    await Promise.all([slow, folded!, ...merged].map(({ result }) => result));
    const last = merged.at(-1)!;
    await expect(session.rewind(last)).rejects.toMatchObject(refused(/answered together/));
    await session.rewind([slow, folded!, ...merged]);
    await converse(session, 'after');
    expect(seen(place, 'slowly', 'folded', 'merged', 'after')).toEqual(['after']);
  });

  it('is refused while a turn runs', async () => {
    await using place = await stage(model);
    await using session = await openSession(optionsOf(place, { partialMessages: true }));
    const turn = session.send('wait');
    for await (const message of turn) if (message.type === 'stream_event') break;
    await expect(session.rewind(turn)).rejects.toMatchObject(refused(/A turn is running/));
    await expect(session.fork()).rejects.toMatchObject(refused(/A turn runs/));
    await expect(session.fork(turn)).rejects.toMatchObject(refused(/A turn runs/));
    await turn.interrupt();
    expect(await session.rewind(turn)).toMatchObject({ prompt: 'wait' });
  });

  it('of files is refused where they were not recorded, and the conversation stays', async () => {
    await using place = await stage(model);
    await using session = await openSession(optionsOf(place, { checkpoints: undefined }));
    const [first] = await converse(session, 'first');
    await expect(session.rewind(first!, { files: true })).rejects.toMatchObject(refused(/checkpoints: true/));
    await expect(session.rewind('no-such-turn', { files: 'preview' })).rejects.toMatchObject(refused(/checkpoints/));
    await converse(session, 'second');
    expect(seen(place, 'first', 'second')).toEqual(['first', 'second']);
  });

  it('works where nothing is stored', async () => {
    await using place = await stage(model);
    await using session = await openSession(optionsOf(place, { persist: false }));
    const [first, second] = await converse(session, 'first', 'third');
    await expect(session.rewind(first!)).rejects.toMatchObject(refused(new RegExp(second!.id)));
    await expect(session.rewind(crypto.randomUUID())).rejects.toMatchObject(refused(/no such turn/));
    await session.rewind([first!, second!]);
    await converse(session, 'again');
    expect(seen(place, 'first', 'third', 'again')).toEqual(['again']);
    await expect(session.fork()).rejects.toMatchObject(refused(/persist: false/));
  });
});

withCli('A fork', () => {
  it('continues a copy with the same options and the rules as they stand, and leaves the session alone', async () => {
    await using place = await stage(model);
    const greet = tool('greet', 'Greets.', { name: z.string().optional() }, async () => ({
      content: [{ type: 'text', text: 'Hello from the tool' }],
    }));
    await using session = await openSession(
      optionsOf(place, { tools: [greet], permissions: { allowOwnTools: true, mode: 'ask' } }),
    );
    await converse(session, 'first');
    await session.permissions.add({ deny: ['Bash(rm *)'] });
    await using copy = await session.fork();
    expect(copy.sessionId).not.toBe(session.sessionId);
    expect(copy.permissions.rules).toEqual(session.permissions.rules);
    await converse(copy, 'ask me');
    expect(JSON.stringify(place.loopback.requests.at(-1)?.body.messages)).toContain('Hello from the tool');
    expect(seen(place, 'first', 'ask me')).toEqual(['first', 'ask me']);
    await converse(session, 'third');
    expect(seen(place, 'first', 'ask me', 'third')).toEqual(['first', 'third']);
  });

  it('begins after the turn that is named, also in a resumed session, and while another turn runs', async () => {
    await using place = await stage(model);
    const before = await openSession(optionsOf(place));
    const [first] = await converse(before, 'first', 'second');
    await before.finish();
    await using session = await openSession(optionsOf(place, { resume: before.sessionId, partialMessages: true }));
    const running = session.send('wait');
    for await (const message of running) if (message.type === 'stream_event') break;
    await using copy = await session.fork(first);
    const [third] = await converse(copy, 'third');
    expect(seen(place, 'first', 'second', 'wait', 'third')).toEqual(['first', 'third']);
    await running.interrupt();
    await converse(session, 'fourth');
    expect(seen(place, 'first', 'second', 'third', 'fourth')).toEqual(['first', 'second', 'fourth']);

    // The turns of a copy have the ids of the original.
    await copy.rewind([first!, third!]);
    await converse(copy, 'anew');
    expect(seen(place, 'first', 'third', 'anew')).toEqual(['anew']);
  });

  it('is refused before the first turn, and for a turn that is not stored', async () => {
    await using place = await stage(model);
    await using session = await openSession(optionsOf(place));
    await expect(session.fork()).rejects.toMatchObject(refused(/no turn yet/));
    await converse(session, 'first');
    await expect(session.fork(crypto.randomUUID())).rejects.toMatchObject(refused(/has no turn/));
  });
});

withCli('With a store', () => {
  it('a rewind holds for a session that is resumed from it elsewhere, also where nothing was sent after it', async () => {
    await using place = await stage(model);
    const store = new InMemorySessionStore();
    const options = { checkpoints: undefined, store };
    await using session = await openSession(optionsOf(place, options));
    const [, second] = await converse(session, 'first', 'second');
    expect(await session.rewind(second!)).toMatchObject({ prompt: 'second' });
    const [third, fourth] = await converse(session, 'third', 'fourth');
    await expect(session.rewind(third!)).rejects.toMatchObject(refused(new RegExp(fourth!.id)));
    await session.rewind(fourth!);
    await session.finish();

    await using elsewhere = await stage(model);
    const cwd = place.home.cwd; // the store has it under its folder
    await using resumed = await openSession(optionsOf(elsewhere, { ...options, cwd, resume: session.sessionId }));
    const [fifth] = await converse(resumed, 'fifth');
    expect(seen(elsewhere, 'first', 'second', 'third', 'fourth', 'fifth')).toEqual(['first', 'third', 'fifth']);
    await resumed.rewind([third!, fifth!]);
    await converse(resumed, 'sixth');
    expect(seen(elsewhere, 'first', 'third', 'fifth', 'sixth')).toEqual(['first', 'sixth']);
  });

  it('a fork begins after the turn that is named, and is in the store as well', async () => {
    await using place = await stage(model);
    const store = new InMemorySessionStore();
    const options = { checkpoints: undefined, store };
    await using session = await openSession(optionsOf(place, options));
    const [first] = await converse(session, 'first', 'second');
    const copy = await session.fork(first);
    await converse(copy, 'third');
    expect(seen(place, 'first', 'second', 'third')).toEqual(['first', 'third']);
    await using whole = await session.fork();
    await converse(whole, 'fourth');
    expect(seen(place, 'first', 'second', 'third', 'fourth')).toEqual(['first', 'second', 'fourth']);
    await copy.finish();

    await using elsewhere = await stage(model);
    const resumed = { ...options, cwd: place.home.cwd, resume: copy.sessionId };
    await using later = await openSession(optionsOf(elsewhere, resumed));
    await converse(later, 'fifth');
    expect(seen(elsewhere, 'first', 'second', 'third', 'fifth')).toEqual(['first', 'third', 'fifth']);
  });
});
