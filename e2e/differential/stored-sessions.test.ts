import { mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { foundBySeeds } from './planted-damage.ts';
import { answer, attached, four, boundary, summary, title, transcripts, user, wanted } from './planted-transcripts.ts';
import { comparable, filesIn, sessionId, StoredPlace, uuidOf } from './stored-places.ts';
import type { Sdk } from './sdks.ts';

/** What every reading function returns for a session, with each of its options. */
async function readings(sdk: Sdk): Promise<unknown> {
  const messages = [{}, { includeSystemMessages: true }, { limit: 2 }, { offset: 1 }, { limit: 2, offset: 2 }];
  const odd = [{ limit: 0 }, { limit: -1 }, { offset: -1 }, { limit: NaN }, { offset: 99 }, { limit: 1.5 }];
  return {
    messages: await Promise.all([...messages, ...odd].map((options) => sdk.getSessionMessages(sessionId, options))),
    info: await sdk.getSessionInfo(sessionId),
    all: await sdk.listSessions(),
    ofPeople: await sdk.listSessions({ includeProgrammatic: false }),
    here: await sdk.listSessions({ dir: '/some/dir', limit: 1 }),
    elsewhere: await sdk.listSessions({ dir: '/some/other' }),
  };
}

async function compare(place: StoredPlace, program: (sdk: Sdk, config: string) => Promise<unknown>) {
  const [official, ours] = [await place.run('official', program), await place.run('ours', program)];
  return { official: comparable(official), ours: comparable(ours) };
}

describe('A stored transcript is read as in the official package', () => {
  it.each(Object.entries({ ...transcripts, ...foundBySeeds }))('with %s', async (_name, content) => {
    using place = new StoredPlace();
    place.plant('-some-dir', `${sessionId}.jsonl`, content);
    const { official, ours } = await compare(place, readings);
    expect(ours).toEqual(official);
    expect(official).not.toBe('threw');
  });
});

describe('A stored transcript is read better than in the official package', () => {
  it.each(Object.entries(wanted))('with %s', async (_name, { text }) => {
    using place = new StoredPlace();
    place.plant('-some-dir', `${sessionId}.jsonl`, text);
    const { official, ours } = await compare(place, async (sdk) => ({
      info: await sdk.getSessionInfo(sessionId),
      messages: await sdk.getSessionMessages(sessionId),
    }));
    expect(ours).toMatchObject({ info: { sessionId } });
    expect(ours).not.toEqual(official);
  });
});

describe('The folder of sessions is listed as in the official package', () => {
  const other = (digit: number): string => `00000000-0000-4000-8000-00000000000${digit}`;

  it('with files of others, equal times and links', async () => {
    using place = new StoredPlace();
    const text = four.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    for (const digit of [3, 1, 2]) utimesSync(place.plant('-some-dir', `${other(digit)}.jsonl`, text), 5000, 5000);
    place.plant('-some-dir', 'agent-1.jsonl', text);
    place.plant('-some-dir', `${sessionId}.jsonl.tmp`, text);
    place.plant('-some-dir', 'memory/notes.md', 'x');
    mkdirSync(path.join(place.config, 'projects', '-some-dir', `${other(4)}.jsonl`));
    symlinkSync('/nowhere', path.join(place.config, 'projects', '-some-dir', `${other(5)}.jsonl`));
    const { official, ours } = await compare(place, async (sdk) => [
      await sdk.listSessions(),
      await sdk.listSessions({ limit: 2 }),
      await sdk.listSessions({ limit: 1, offset: 1 }),
      await sdk.listSessions({ offset: 7 }),
      await sdk.listSessions({ limit: 0 }),
    ]);
    expect(ours).toEqual(official);
  });

  it('for a directory whose name is long, has other alphabets, or is reached by a link', async () => {
    using place = new StoredPlace();
    const text = `${JSON.stringify({ ...user('u', null), cwd: undefined })}\n`;
    const real = path.join(place.root, `e\u0301 ü 😀 ${'long'.repeat(50)}`);
    mkdirSync(real);
    symlinkSync(real, path.join(place.root, 'link'));
    const name = real.replaceAll(/[^A-Za-z0-9]/g, '-').slice(0, 200);
    let hash = 0;
    for (let index = 0; index < real.length; index += 1) hash = (Math.imul(hash, 31) + real.charCodeAt(index)) | 0;
    place.plant(`${name}-${Math.abs(hash).toString(36)}`, `${sessionId}.jsonl`, text);
    const { official, ours } = await compare(place, async (sdk) => [
      await sdk.listSessions({ dir: real }),
      await sdk.listSessions({ dir: path.join(place.root, 'link') }),
      await sdk.getSessionMessages(sessionId, { dir: path.join(place.root, 'link') }),
    ]);
    expect(ours).toEqual(official);
    expect(official).toMatchObject([[{ sessionId }], [{ sessionId }], [{ uuid: uuidOf('u') }]]);
  });

  it('but for sessions of another directory whose folder has the same name', async () => {
    using place = new StoredPlace();
    place.plant('-some-dir', `${sessionId}.jsonl`, `${JSON.stringify(user('u', null))}\n`);
    const { official, ours } = await compare(
      place,
      async (sdk) => (await sdk.listSessions({ dir: '/some.dir' })).length,
    );
    expect([official, ours]).toEqual([1, 0]);
  });

  it.each(['', '..', 'x', `../projects/-some-dir/${sessionId}`, `${sessionId}\0`, ` ${sessionId}`, undefined, null, 7])(
    'with nothing under the id %j',
    async (id) => {
      using place = new StoredPlace();
      place.plant('-some-dir', `${sessionId}.jsonl`, `${JSON.stringify(user('u', null))}\n`);
      const wrong = id as string; // what a program in JavaScript may pass
      const { official, ours } = await compare(place, async (sdk) => [
        await sdk.getSessionInfo(wrong),
        await sdk.getSessionMessages(wrong),
        await sdk.listSubagents(wrong),
        await sdk.getSubagentMessages(wrong, 'a'),
        await sdk.getSubagentMessages(sessionId, wrong),
      ]);
      expect(ours).toEqual([undefined, [], [], [], []]);
      expect(ours).toEqual(official);
    },
  );
});

describe('Subagents are read as in the official package', () => {
  it('with what is noted of them, wherever they are stored', async () => {
    using place = new StoredPlace();
    const aside = { isSidechain: true, agentId: 'x' };
    const subagentEntries = [
      user('u', null, 'do it', aside),
      user('m', 'u', 'x', { ...aside, isMeta: true }),
      attached('q', 'm', { type: 'queued_command', prompt: 'also', isMeta: true }, aside),
      answer('a', 'q', aside),
    ];
    const text = subagentEntries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    place.plant('-some-dir', `${sessionId}.jsonl`, `${JSON.stringify(user('u', null))}\n`);
    for (const name of ['one', 'two', 'workflows/w/three', 'with space.dot'])
      place.plant(`-some-dir/${sessionId}/subagents`, name.replace(/([^/]+)$/, 'agent-$1.jsonl'), text);
    place.plant(`-some-dir/${sessionId}/subagents`, 'agent-one.meta.json', '{"toolUseId":"t","parentAgentId":"two"}');
    place.plant(`-some-dir/${sessionId}/subagents`, 'agent-two.meta.json', '{broken');
    const { official, ours } = await compare(place, async (sdk) => [
      (await sdk.listSubagents(sessionId)).toSorted(),
      await Promise.all(
        ['one', 'two', 'three', 'with space.dot', 'none'].map((agent) => sdk.getSubagentMessages(sessionId, agent)),
      ),
      await sdk.getSubagentMessages(sessionId, 'one', { limit: 1, offset: 1 }),
    ]);
    expect(ours).toEqual(official);
    expect(official).toMatchObject([
      ['one', 'three', 'two', 'with space.dot'],
      [[{ parent_agent_id: 'two' }, {}, { is_meta: true }, {}], {}, {}, {}, []],
      [{}],
    ]);
  });
});

const compacted = [...four, boundary('B', 'S', ['u2', 'a2']), summary('S', 'B'), user('u3', 'S'), answer('a3', 'u3')];
const changes: Readonly<Record<string, (sdk: Sdk) => Promise<unknown>>> = {
  'a title': (sdk) => sdk.renameSession(sessionId, '  A "new" title\n '),
  'no title': (sdk) => sdk.renameSession(sessionId, '  '),
  'a tag': (sdk) => sdk.tagSession(sessionId, ' a\u200Btag é '),
  'no tag': (sdk) => sdk.tagSession(sessionId, null),
  'an empty tag': (sdk) => sdk.tagSession(sessionId, ''),
  'a mark of the archive': (sdk) => sdk.archiveSession(sessionId, { dir: '/some/dir' }),
  'no mark of the archive': async (sdk) => {
    await sdk.archiveSession(sessionId);
    await sdk.unarchiveSession(sessionId);
  },
  'its end': (sdk) => sdk.deleteSession(sessionId),
  'a fork': (sdk) => sdk.forkSession(sessionId),
  'a fork with a title': (sdk) => sdk.forkSession(sessionId, { title: ' Mine ' }),
  'a fork up to a message': (sdk) => sdk.forkSession(sessionId, { upToMessageId: uuidOf('u2') }),
  'a fork up to a summary': (sdk) => sdk.forkSession(sessionId, { upToMessageId: uuidOf('S') }),
  'a fork up to a compaction': (sdk) => sdk.forkSession(sessionId, { upToMessageId: uuidOf('B') }),
  'a fork up to nothing': (sdk) => sdk.forkSession(sessionId, { upToMessageId: uuidOf('none') }),
  'a change in a directory that it is not of': (sdk) => sdk.renameSession(sessionId, 'x', { dir: '/other' }),
  'a change of a session that is not there': (sdk) => sdk.tagSession(uuidOf('none'), 'x'),
  'a change of something that is not a session': (sdk) => sdk.deleteSession('..'),
};

describe('A stored session is changed as in the official package', () => {
  it.each(Object.entries(changes))('by %s', async (_name, change) => {
    using place = new StoredPlace();
    const extra = [
      title('Old'),
      { type: 'tag', tag: 'x', sessionId },
      { type: 'tools-used', tools: ['Bash'], sessionId },
    ];
    place.plant(
      '-some-dir',
      `${sessionId}.jsonl`,
      [...compacted, ...extra].map((each) => `${JSON.stringify(each)}\n`).join(''),
    );
    place.plant(`-some-dir/${sessionId}/subagents`, 'agent-a.jsonl', `${JSON.stringify(user('u', null))}\n`);
    const { official, ours } = await compare(place, async (sdk, config) => {
      const outcome = await change(sdk).then(
        () => 'done',
        () => 'threw',
      );
      return [outcome, filesIn(config), (await sdk.listSessions()).length];
    });
    expect(ours).toEqual(official);
  });

  it('but for a title behind a line that was cut off, which stays a line of its own', async () => {
    using place = new StoredPlace();
    place.plant('-some-dir', `${sessionId}.jsonl`, `${JSON.stringify(user('u', null))}\n{"type":"us`);
    const { official, ours } = await compare(place, async (sdk, config) => {
      await sdk.renameSession(sessionId, 'Title');
      return filesIn(config).filter((line) => line.startsWith('{"customTitle"')).length;
    });
    expect([official, ours]).toEqual([0, 1]);
  });
});
