import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createSdk, deny } from '@hexagent/sdk';
import { recordTo } from '@hexagent/tapes';
import { linkedTransport, reply, scriptedAgent } from '@hexagent/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { otherRuntimes } from '../support/other-runtimes.ts';
import { run } from './run.ts';

const { nodes, project, env } = inject('packed');
const hexagent = join(project, 'node_modules/.bin/hexagent');
const folder = join(project, 'taped');
const folderOf = (name: string): string => dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
const bun = otherRuntimes().find(({ name }) => name === 'Bun')?.executable;
const [floor] = nodes;

interface Way {
  readonly runner: string;
  readonly command: string | undefined;
  readonly args: readonly string[];
}

const ways: readonly Way[] = [
  { runner: 'node', command: floor?.executable, args: ['--test'] },
  { runner: 'vitest', command: process.execPath, args: [join(folderOf('vitest'), 'vitest.mjs'), 'run'] },
  {
    runner: 'jest',
    command: process.execPath,
    args: ['--no-warnings', '--experimental-vm-modules', join(folderOf('jest'), 'bin/jest.js'), '--runTestsByPath'],
  },
  { runner: 'bun', command: bun, args: ['test'] },
];

/** The program answers the one request of its agent with this. */
const program = (message: string): string => `
  import { ask, deny } from '@hexagent/sdk';
  const { kind } = await ask('Clean up', { onAsk: () => deny('${message}') }).result;
  if (kind !== 'completed') throw new Error(kind);`;

beforeAll(async () => {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  symlinkSync(realpathSync(folderOf('vitest')), join(folder, 'node_modules/vitest'));
  const command = reply.tool('Bash', { command: 'rm -rf old' }, { asks: true });
  const { transport } = linkedTransport(scriptedAgent({ turns: [[command, 'Then I leave it.']] }));
  const { ask } = createSdk({ transport: recordTo(join(folder, 'incident.tape'), { transport }) });
  await ask('Clean up', { onAsk: () => deny('Not that one.') }).result;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('A test that is made of a tape', () => {
  for (const { runner, command, args } of ways)
    it.skipIf(command === undefined)(
      `passes under ${runner}, and fails with the difference once the program does something else`,
      async () => {
        const options = { cwd: folder, env };
        const file = `./${runner}.test.mjs`;
        const node = floor?.executable ?? '';
        const test = (): Promise<string> => run(command ?? '', [...args, file], options);
        await run(
          hexagent,
          ['tape', 'to-test', 'incident.tape', '--runner', runner, '--out', file, '--', node, 'agent.mjs'],
          options,
        );
        writeFileSync(join(folder, 'agent.mjs'), program('Not that one.'));
        await test();
        writeFileSync(join(folder, 'agent.mjs'), program('Nothing is removed.'));
        await expect(test()).rejects.toThrow('expected "Not that one."');
      },
    );
});
