import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MemoryApprovalStore } from '@hexagent/approvals';
import { MemoryDirectory, MemoryLeases, MemoryOutbox } from '@hexagent/hosting';
import { linkedTransport, scriptedAgent } from '@hexagent/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createChat, createSessionHost, type Chat, type ChatOptions } from '../src/index.ts';
import { createSdk } from '@hexagent/sdk';

let state: string;
let before: string | undefined;

beforeEach(async () => {
  state = await mkdtemp(path.join(tmpdir(), 'hexagent-state-'));
  before = process.env['XDG_STATE_HOME'];
  process.env['XDG_STATE_HOME'] = state;
});

afterEach(async () => {
  if (before === undefined) delete process.env['XDG_STATE_HOME'];
  else process.env['XDG_STATE_HOME'] = before;
  await rm(state, { recursive: true, force: true });
});

const sdk = (): ReturnType<typeof createSdk> => {
  const { transport } = linkedTransport(scriptedAgent({ turns: ['42', '43'] }));
  return createSdk({ transport });
};

const chatOf = (options: ChatOptions = {}): Chat => createChat({ sdk: sdk(), onError: () => {}, ...options });

async function say(chat: Chat, id = 'm1'): Promise<Response> {
  const message = { id, role: 'user', parts: [{ type: 'text', text: 'Go' }] };
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ id: 'one', message });
  return await chat.handle(new Request('http://localhost/api/chat', { method: 'POST', headers, body }));
}

const chatsOf = async (chat: Chat): Promise<unknown> =>
  ((await (await chat.handle(new Request('http://localhost/api/sessions'))).json()) as { sessions: unknown }).sessions;

/** Every file and folder below one, with its permissions. */
async function modesBelow(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(folder, { recursive: true });
  const modes = names.map(async (name): Promise<[string, string]> => {
    const found = await stat(path.join(folder, name));
    return [name, `${found.isDirectory() ? 'folder' : 'file'} ${(found.mode & 0o777).toString(8)}`];
  });
  return new Map(await Promise.all(modes));
}

describe('A chat without a folder', () => {
  it('keeps its records where the user keeps the state of programs, for its owner alone, and finds them again', async () => {
    const first = chatOf();
    expect(first.folder?.startsWith(path.join(state, 'hexagent'))).toBe(true);
    expect(await (await say(first)).text()).toContain('42');
    await first.close();
    const modes = await modesBelow(state);
    expect(new Set(modes.values())).toEqual(new Set(['folder 700', 'file 600']));
    await using second = chatOf();
    expect([second.folder, await chatsOf(second)]).toMatchObject([first.folder, [{ id: 'one' }]]);
    expect((await say(second)).status).toBe(409);
  });

  it('is alone in its process, and names what another one needs', async () => {
    await using first = chatOf();
    expect(() => chatOf()).toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.stringContaining('`folder: false`') }),
    );
    expect(first.folder).toBeDefined();
    // Each of these has a place of its own.
    await using host = createSessionHost({ sdk: sdk() });
    await using own = chatOf({ folder: path.join(state, 'own') });
    await using memory = chatOf({ folder: false });
    expect([await host.list(), own.folder, memory.folder]).toEqual([[], path.join(state, 'own'), undefined]);
    await first.close();
    await using again = chatOf();
    expect(again.folder).toBe(first.folder);
  });

  it('takes nothing from the next one when it is closed a second time', async () => {
    const first = chatOf();
    await first.close();
    await using next = chatOf();
    await first.close();
    expect(() => chatOf()).toThrow(TypeError);
    expect((await say(next)).status).toBe(200);
  });

  it('leaves the folder to the next where its options make no sense', async () => {
    expect(() => chatOf({ basePath: 'api' })).toThrow(TypeError);
    expect(() => chatOf({ hosting: { maxLive: 0 } })).toThrow(TypeError);
    await using chat = chatOf();
    expect(chat.folder).toBeDefined();
  });

  it('writes nothing with `folder: false`, nor with stores of its own', async () => {
    const stores = {
      outbox: new MemoryOutbox(),
      directory: new MemoryDirectory(),
      leases: new MemoryLeases(),
      approvals: new MemoryApprovalStore(),
    };
    for (const options of [{ folder: false }, { stores }] as const) {
      await using chat = chatOf(options);
      expect(await (await say(chat)).text()).toContain('42');
    }
    expect(await stores.directory.list()).toMatchObject([{ id: 'one' }]);
    expect(await readdir(state)).toEqual([]);
  });

  it('keeps in files what it was given no store for', async () => {
    const outbox = new MemoryOutbox();
    await using chat = chatOf({ stores: { outbox } });
    await (await say(chat)).text();
    expect(await outbox.stateOf({ session: 'one', uuid: 'none' })).toBeUndefined();
    expect([...(await modesBelow(state)).keys()].filter((name) => /(outbox|sessions)$/.test(name))).toEqual([
      expect.stringMatching(/sessions$/),
    ]);
  });

  it('names at once the folder that it cannot write and the remedy, and answers that it failed', async () => {
    process.env['XDG_STATE_HOME'] = path.join(state, 'file');
    await writeFile(path.join(state, 'file'), '');
    const errors: unknown[] = [];
    await using chat = chatOf({ onError: (error) => errors.push(error) });
    const response = await say(chat);
    expect([response.status, await response.json()]).toMatchObject([
      500,
      { error: { message: 'The server failed with STORE_FAILED.' } },
    ]);
    expect(errors[0]).toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining(path.join(state, 'file', 'hexagent')),
      remedy: expect.stringContaining('`folder: false`'),
    });
  });

  it('warns of the process where nothing else receives errors, with what to do', async () => {
    const folder = path.join(state, 'file');
    await writeFile(folder, '');
    const warned = once(process, 'warning');
    await using chat = createChat({ sdk: sdk(), folder });
    expect(await warned).toMatchObject([
      {
        code: 'HEXAGENT_CHAT_FAILED',
        message: expect.stringMatching(/^A chat failed: .*'\. Read `cause`.*`folder: false`/s),
      },
    ]);
    expect(chat.folder).toBe(folder);
  });

  it.each<readonly [object, string]>([
    [{ foldr: './chats' }, '`foldr` is not known. Did you mean `folder`?'],
    [{ colour: 'red' }, '`colour` is not known. Leave it out.'],
    [{ hosting: { maxlive: 5 } }, '`hosting.maxlive` is not known. Did you mean `hosting.maxLive`?'],
    [{ hosting: 5 }, '`hosting` must be a plain object, not a number.'],
    [{ suggestions: 'none' }, '`suggestions` must be one of "session", "all", not "none".'],
    [[], '`options` must be a plain object, not a list.'],
  ])('refuses a name that it does not have: %j', (options, message) => {
    expect(() => createChat(options)).toThrow(new TypeError(message));
    expect(() => createSessionHost({ ...options, maxWait: 5 } as object)).toThrow(TypeError);
  });

  it('is not kept in a folder that other users can write to', async () => {
    const folder = path.join(state, 'hexagent');
    await mkdir(folder);
    await chmod(folder, 0o777);
    expect(() => chatOf()).toThrow(
      expect.objectContaining({
        code: 'STORE_FAILED',
        message: expect.stringContaining(`other users can write to ${folder} (its mode is 777)`),
        remedy: expect.stringContaining('`folder`'),
      }),
    );
    expect(await readdir(folder)).toEqual([]);
  });

  // Only the superuser can give a folder to another user.
  it.skipIf(process.geteuid?.() !== 0)(
    'is not kept in a folder of another user, nor behind a link to one',
    async () => {
      const [folder, theirs] = [path.join(state, 'hexagent'), path.join(state, 'theirs')];
      await mkdir(theirs, 0o700);
      await chown(theirs, 12_345, 12_345);
      await symlink(theirs, folder);
      const expected = expect.objectContaining({
        code: 'STORE_FAILED',
        message: expect.stringContaining(`${folder} belongs to user 12345`),
      });
      expect(() => chatOf()).toThrow(expected);
      await rm(folder);
      await rename(theirs, folder);
      expect(() => chatOf()).toThrow(expected);
    },
  );

  it('stays where it was made, also where its folder is relative and the program goes elsewhere', async () => {
    const cwd = process.cwd();
    const folder = path.relative(cwd, path.join(state, 'own'));
    await using chat = chatOf({ folder });
    expect(chat.folder).toBe(path.join(state, 'own'));
  });

  it.each([[''], [5], [true], [null]])('refuses %j as its folder', (folder) => {
    expect(() => chatOf({ folder: folder as string })).toThrow(TypeError); // an untyped program may pass any value
  });
});

describe('A host of sessions without a folder', () => {
  const answered = async (host: ReturnType<typeof createSessionHost>, id: string): Promise<unknown> => {
    await host.create(id, { facts: { colour: 'red' } });
    const { done } = await host.send(id, 'Go');
    return await done;
  };

  it('runs messages, keeps its records in files, and closes them with it', async () => {
    const seen: unknown[] = [];
    const host = createSessionHost({
      sdk: sdk(),
      session: (session) => {
        seen.push(session);
        return { model: 'haiku' };
      },
    });
    expect(await answered(host, 'chat 1')).toMatchObject({ state: 'completed', outcome: { text: '42' } });
    expect(seen).toEqual([{ id: 'chat 1', tenant: undefined, facts: { colour: 'red' }, fence: expect.any(Number) }]);
    await host.drain();
    await expect(host.list()).rejects.toThrow('is closed');
    await host.close();
    expect(new Set((await modesBelow(state)).values())).toEqual(new Set(['folder 700', 'file 600']));
    await using next = createSessionHost({ sdk: sdk() });
    expect(await next.list()).toMatchObject([{ id: 'chat 1', begun: 'yes' }]);
  });

  it('rejects at its first use where the folder cannot be written, with what to do', async () => {
    const folder = path.join(state, 'file');
    await writeFile(folder, '');
    await using host = createSessionHost({ sdk: sdk(), folder });
    await expect(host.create('chat 1')).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining(folder),
      remedy: expect.stringContaining('`folder`'),
    });
  });

  it('closes also where the options of a session never come', async () => {
    const session = (): Promise<never> => new Promise(() => {});
    const host = createSessionHost({ sdk: sdk(), session, folder: false });
    await host.create('chat 1');
    const { done } = await host.send('chat 1', 'Go');
    await host.close();
    await expect(done).rejects.toMatchObject({ code: 'HOST_CLOSED' });
  });

  it('leaves stores of the program open', async () => {
    const stores = { outbox: new MemoryOutbox(), directory: new MemoryDirectory(), leases: new MemoryLeases() };
    const host = createSessionHost({ sdk: sdk(), stores });
    await answered(host, 'chat 1');
    await host.close();
    expect([await stores.directory.list(), await readdir(state)]).toMatchObject([[{ id: 'chat 1' }], []]);
  });
});
