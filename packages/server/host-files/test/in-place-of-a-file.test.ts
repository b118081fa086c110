import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ApprovalFiles, DirectoryFiles, LeaseFiles, OutboxFiles } from '../src/index.ts';
import { place, type Place } from './place.ts';
import { record, settledWith } from './stored-approvals.ts';

type Maker = (path: string, here: Place & { readonly opened: Set<() => unknown> }) => unknown;

/** What may lie where a file is expected, and what it is called. */
const inPlaces: Readonly<Record<string, [string, Maker]>> = {
  'a link that leads nowhere': ['a link', (path) => symlink(`${path}.missing`, path)],
  'a link that leads to itself': ['a link', (path) => symlink(path, path)],
  'a link to a file': [
    'a link',
    async (path, { folder }) => {
      await writeFile(join(folder, 'other'), '');
      await symlink(join(folder, 'other'), path);
    },
  ],
  'a folder': ['a folder', (path) => mkdir(path)],
  'a pipe': ['a pipe', (path) => expect(spawnSync('mkfifo', [path]).status).toBe(0)],
  'a socket': [
    'a socket',
    async (path, { opened }) => {
      const server = createServer().listen(path);
      await once(server, 'listening');
      opened.add(() => server.close());
    },
  ],
};

const stores: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
  approvals: (folder) => new ApprovalFiles({ folder }).list(),
  outbox: (folder) => new OutboxFiles({ folder }).enqueue({ session: 's', uuid: 'u', input: { content: 'x' } }),
  sessions: (folder) => new DirectoryFiles({ folder }).list(),
  leases: (folder) => new LeaseFiles({ folder }).join({ owner: 'one' }),
};

describe.skipIf(process.platform === 'win32')('In place of a file', () => {
  for (const [name, [kind, make]] of Object.entries(inPlaces)) {
    it.each(Object.keys(stores))(`${name} is refused by its path in %s`, async (store) => {
      await using here = await place();
      const opened = new Set<() => unknown>();
      await mkdir(join(here.folder, store));
      const path = join(here.folder, store, '00000001.v1.jsonl');
      await make(path, { ...here, opened });
      await expect(stores[store]?.(here.folder)).rejects.toMatchObject({
        code: 'STORE_FAILED',
        message: expect.stringContaining(`${path} is ${kind}`),
      });
      for (const close of opened) close();
    });

    it(`${name} is refused for the audit, by writers and readers`, async () => {
      await using here = await place();
      const opened = new Set<() => unknown>();
      const path = join(here.folder, 'audit.jsonl');
      await make(path, { ...here, opened });
      await using store = new ApprovalFiles(here);
      await store.add(record('a'));
      const refused = { message: expect.stringContaining(`${path} is ${kind}`) };
      await expect(settledWith(store, 'a')).rejects.toMatchObject(refused);
      await expect(Array.fromAsync(store.audit())).rejects.toMatchObject(refused);
      for (const close of opened) close();
    });
  }

  it.each(['00000009.v0.jsonl', '00000009.v01.jsonl'])(
    'a name that no version writes is passed over: %s',
    async (name) => {
      await using here = await place();
      await mkdir(join(here.folder, 'approvals'));
      await writeFile(join(here.folder, 'approvals', name), '');
      await using store = new ApprovalFiles(here);
      await store.add(record('a'));
      await using again = new ApprovalFiles(here);
      expect(await again.list()).toHaveLength(1);
    },
  );

  it.each([
    ['a link that leads nowhere', 'nowhere', 'EEXIST'],
    ['a link that leads to itself', 'itself', 'ELOOP'],
    ['below a file', 'file/sub', 'ENOTDIR'],
    ['below a link that leads nowhere', 'nowhere/sub', 'EEXIST'],
    ['below a link that leads to itself', 'itself/sub', 'ELOOP'],
    ['below a folder of the system', '/proc/hexagent/sub', 'ENOENT'],
  ])('of the folder: %s is refused by its path', async (_, path, code) => {
    await using here = await place();
    await writeFile(join(here.folder, 'file'), '');
    await symlink(join(here.folder, 'missing'), join(here.folder, 'nowhere'));
    await symlink(join(here.folder, 'itself'), join(here.folder, 'itself'));
    const folder = path.startsWith('/') ? path : join(here.folder, path);
    for (const open of Object.values(stores))
      await expect(open(folder)).rejects.toMatchObject({
        code: 'STORE_FAILED',
        message: expect.stringContaining(folder),
        cause: { code },
      });
    await rm(join(here.folder, 'itself'));
  });
});
