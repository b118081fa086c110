import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { doctor } from '@hexagent/sdk';
import { expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { runWithPipes } from '../support/running-program.ts';
import { fromSources, placeFor, root } from './example-programs.ts';

const hexagent = (...args: readonly string[]): readonly string[] =>
  fromSources(join(root, 'packages/sdk/src/hexagent.ts'), ...args);

withCli('The command hexagent', () => {
  it('finds nothing wrong with the real CLI in a clean place, sends nothing and leaves nothing', async () => {
    await using place = await placeFor();
    const { ok, checks } = await doctor(place.options);
    const found = Object.fromEntries(checks.map(({ name, status }) => [name, status]));
    expect(found).toMatchObject({ cli: 'ok', build: 'ok', package: 'ok', version: 'ok', service: 'ok', config: 'ok' });
    expect(checks.find(({ name }) => name === 'cli')?.found).toContain(cli);
    expect(checks.find(({ name }) => name === 'package')?.found).toMatch(/^@anthropic-ai\/claude-/);
    expect(ok).toBe(true);
    expect([...place.loopback.requests, ...place.loopback.others]).toEqual([]);
    const { home, tmp, cwd } = place.home;
    for (const folder of [home, tmp, cwd]) expect(await readdir(folder)).toEqual([]);
  });

  it('runs the quickstart without a key, by a model that it starts', async () => {
    await using place = await placeFor();
    const { ANTHROPIC_BASE_URL: _, ANTHROPIC_API_KEY: __, ...env } = place.env;
    const quickstart = [process.execPath, ...fromSources(join(root, 'examples/quickstart/quickstart.mjs'))];
    await using program = runWithPipes(hexagent('offline', '--', ...quickstart), { cwd: place.home.cwd, env });
    expect(await program.exitCode).toBe(0);
    expect(program.output).toContain('This model is a script. You wrote: ');
    expect(place.loopback.requests).toEqual([]);
  });
});
