import path from 'node:path';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { root } from '../workspace.mjs';

/** A program with these lines, as a bundler writes it. */
async function bundled(lines: string): Promise<string> {
  const bundle = await rolldown({
    input: 'program',
    platform: 'node',
    resolve: { conditionNames: ['@hexagent/source', 'import', 'node', 'default'] },
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === 'program' ? id : null),
        load: (id) =>
          id === 'program' ? lines.replace('HOOKING', path.join(root, 'packages/domain/hooking/src/index.ts')) : null,
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  return output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('');
}

it('A program that uses no ready-made hook has none in its bundle', async () => {
  const without = await bundled(`import { createHooks } from 'HOOKING'; createHooks().on('Stop', console.log);`);
  const using = await bundled(`import { hooks } from 'HOOKING'; console.log(hooks.deny('no'));`);
  expect(without).toContain('createHooks');
  expect(without).not.toMatch(/isMaker: true|needs a reason|needs a sink/);
  expect(using).toMatch(/isMaker: true[^]*needs a reason|needs a reason[^]*isMaker: true/);
});
