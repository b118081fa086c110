import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storedSessions } from '@hexagent/sdk';
import { query, type Options, type SDKUserMessage } from '@hexagent/sdk/claude-agent-sdk';
import { expect, it } from 'vitest';
import { toolUse } from '@hexagent/testing/loopback';
import { byPrompt } from '../support/by-prompt.ts';
import { withCli } from '../support/cli.ts';
import { optionsOf } from '../support/queries.ts';
import { stage, type Stage } from '../support/stage.ts';

/** The uuids that a program keeps of a conversation to take it back: two prompts, and the last message before the second. */
interface Conversed {
  readonly sessionId: string;
  readonly first: string;
  readonly second: string;
  readonly lastOfFirst: string;
}

/** The second turn changes a file, makes one, and lets a command make another. */
const model = byPrompt({
  first: toolUse('Write', { file_path: 'a.txt', content: 'one' }),
  second: [
    toolUse('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' }),
    toolUse('Write', { file_path: 'b.txt', content: 'two' }),
    toolUse('Bash', { command: 'echo two > c.txt' }),
  ],
  third: 'Gone on.',
});

const rules = ['Write', 'Edit', 'Bash'];

/** Has two turns that write files. */
async function converse(place: Stage): Promise<Conversed> {
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
  const conversed = { sessionId: '', first, second, lastOfFirst: '' };
  const answered = Promise.withResolvers<void>();
  const prompt = (async function* () {
    yield asked('first', first);
    await answered.promise;
    yield asked('second', second);
  })();
  for await (const message of query({ prompt, options: official(place) })) {
    if (message.type === 'assistant' && conversed.sessionId === '') conversed.lastOfFirst = message.uuid;
    if (message.type !== 'result') continue;
    conversed.sessionId = message.session_id;
    answered.resolve();
  }
  return conversed;
}

/** Forgets the second turn, if this is its prompt; restores the files as they were before it; and continues. */
async function takeBack(place: Stage, { sessionId, lastOfFirst, second }: Conversed, prompt: string): Promise<void> {
  const cut: Options = { resume: sessionId, resumeSessionAt: lastOfFirst, resumeDropsTurn: prompt };
  const restored = Promise.withResolvers<void>();
  const prompts = (async function* () {
    await restored.promise;
    yield asked('third', crypto.randomUUID());
  })();
  const running = query({ prompt: prompts, options: { ...official(place), ...cut } });
  try {
    await running.initializationResult();
    const looked = await running.rewindFiles(second, { dryRun: true });
    expect(looked).toMatchObject({ canRewind: true, filesChanged: filesOf(place) });
    expect(await running.rewindFiles(second)).toMatchObject({ canRewind: true });
    restored.resolve();
    for await (const message of running) if (message.type === 'result') break;
  } finally {
    running.close();
  }
}

const official = (place: Stage): Options =>
  optionsOf(place, { enableFileCheckpointing: true, permissionMode: 'acceptEdits', allowedTools: rules });

const asked = (content: string, uuid: string): SDKUserMessage => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  uuid: uuid as NonNullable<SDKUserMessage['uuid']>,
});

const filesOf = ({ home }: Stage): readonly string[] => ['a.txt', 'b.txt'].map((name) => join(home.cwd, name));

async function files({ home }: Stage): Promise<unknown> {
  const [a, b, c] = ['a.txt', 'b.txt', 'c.txt'].map((name) => join(home.cwd, name));
  return { a: await readFile(a ?? '', 'utf8'), hasB: existsSync(b ?? ''), hasC: existsSync(c ?? '') };
}

/** What a program reads of the stored conversation: the words of the person. */
async function prompts({ home }: Stage, { sessionId }: Conversed): Promise<readonly string[]> {
  const contents: string[] = [];
  const sessions = storedSessions({ configDir: join(home.home, '.claude') });
  for await (const { type, message } of sessions.messages(sessionId)) {
    const content = (message as { readonly content?: unknown } | undefined)?.content;
    if (type === 'user' && typeof content === 'string') contents.push(content);
  }
  return contents;
}

withCli('Taking back a turn with the drop-in', () => {
  it('#61 cuts the conversation and restores the files', { timeout: 60_000 }, async () => {
    await using place = await stage(model);
    const conversed = await converse(place);
    expect(await files(place)).toEqual({ a: 'two', hasB: true, hasC: true });
    expect(await prompts(place, conversed)).toEqual(['first', 'second']);

    await takeBack(place, conversed, conversed.second);
    // What a command did is not remembered.
    expect(await files(place)).toEqual({ a: 'one', hasB: false, hasC: true });
    expect(await prompts(place, conversed)).toEqual(['first', 'third']);
    const { messages } = place.loopback.requests.at(-1)?.body ?? {};
    expect(JSON.stringify(messages)).toMatch(/first.*third/s);
    expect(JSON.stringify(messages)).not.toContain('"second"');
  });

  it('#61 is refused where it would forget another turn than the one that is named', { timeout: 60_000 }, async () => {
    await using place = await stage(model);
    const conversed = await converse(place);
    await expect(takeBack(place, conversed, conversed.first)).rejects.toThrow(
      /Resume rejected by --resume-drops-turn.*would discard entries not attributable to turn/s,
    );
    expect(await files(place)).toEqual({ a: 'two', hasB: true, hasC: true });
    expect(await prompts(place, conversed)).toEqual(['first', 'second']);
  });
});
