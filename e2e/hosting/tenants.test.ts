import { join } from 'node:path';
import { readFile, readdir } from 'node:fs/promises';
import { tenantFolders } from '@hexagent/host-files';
import { openSession } from '@hexagent/sdk';
import { lastUserText, reply, toolResults, toolUse, type ModelRequest } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { hostOf } from './hosts.ts';

const secretOf = (request: ModelRequest): string => /secret-of-\w+/.exec(lastUserText(request))?.[0] ?? 'nothing';

withCli('#50 Sessions of two tenants in one process', () => {
  it('have nothing of each other in their environments, their files or what the model is shown', async () => {
    await using place = await stage((request) =>
      toolResults(request).length > 0
        ? 'done'
        : reply([
            toolUse('Bash', {
              command: `env > seen.txt; echo ${secretOf(request)} >> notes.txt; echo x > "$TMPDIR/mark"`,
            }),
          ]),
    );
    const folder = join(place.home.root, 'tenants');
    process.env['HEXAGENT_TEST_SECRET_OF_THE_HOST'] = 'secret-of-host';
    await using host = hostOf(place, {
      open: async ({ options, tenant = '' }) => {
        const folders = await tenantFolders(folder, tenant);
        return await openSession({
          ...options,
          executable: cli,
          cwd: await folders.cwd('project'),
          permissions: { allow: ['Bash'] },
          env: { set: { ...place.env, ...folders.env, TENANT_KEY: `key-of-${tenant}` } },
        });
      },
    });
    try {
      const done = ['one', 'two'].map(async (tenant) => {
        await host.create(tenant, { tenant });
        return await (
          await host.send(tenant, `Note secret-of-${tenant}.`)
        ).done;
      });
      for (const end of await Promise.all(done)) expect(end).toMatchObject({ outcome: { kind: 'completed' } });
    } finally {
      delete process.env['HEXAGENT_TEST_SECRET_OF_THE_HOST'];
      await host.close();
    }
    for (const [own, other] of [
      ['one', 'two'],
      ['two', 'one'],
    ] as const) {
      const { root, work } = await tenantFolders(folder, own);
      const texts = await everythingIn(root);
      expect(texts).toContain(`secret-of-${own}`);
      for (const foreign of [
        `secret-of-${other}`,
        `key-of-${other}`,
        'secret-of-host',
        (await tenantFolders(folder, other)).root,
      ])
        expect(texts).not.toContain(foreign);
      const seen = await readFile(join(work, 'project/seen.txt'), 'utf8');
      expect(seen).toContain(`TENANT_KEY=key-of-${own}`);
      expect(seen).toContain(`HOME=${root}`);
    }
    expect(await host.list({ tenant: 'one' })).toMatchObject([{ id: 'one' }]);
    expect(await readdir(place.home.home)).toEqual([]);
  });
});

async function everythingIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n');
}
