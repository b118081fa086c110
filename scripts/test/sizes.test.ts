import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root, toolPath } from '../workspace.mjs';
import { Folder } from './planted.ts';

const recorded = readFileSync(path.join(root, '.size-limit.mjs'), 'utf8').matchAll(/\b\d+_\d+\b/g);
const [native = 0, dropIn = 0, bundled = 0, hooks = 0] = [...recorded].map(([figure]) =>
  Number(figure.replace('_', '')),
);
const chunk = 'export const shared = 1;';

it('A door may become nine hundredths larger, and not eleven', () => {
  using folder = new Folder();
  for (const file of ['.size-limit.mjs', 'package.json']) cpSync(path.join(root, file), path.join(folder.dir, file));
  folder.write('packages/sdk/dist/chunks/shared.js', chunk);
  folder.write('packages/sdk/dist/chunks/shared-by-native.js', chunk);
  const verdictsAt = (growth: number): readonly boolean[] => {
    const textOf = (name: string, bytes: number): string =>
      `export const ${name} = () => '${'x'.repeat(bytes * growth)}';`;
    folder.write('packages/sdk/dist/index.js', ' '.repeat(native * growth - 2 * chunk.length));
    folder.write(
      'packages/sdk/dist/claude-agent-sdk.js',
      textOf('query', bundled).padEnd(dropIn * growth - chunk.length),
    );
    folder.write('packages/domain/hooking/dist/index.js', textOf('createHooks', hooks));
    const { output } = folder.run(process.execPath, toolPath('size-limit'), '--json');
    return JSON.parse(output).map(({ passed }: { passed: boolean }) => passed);
  };
  expect(verdictsAt(1.09)).toEqual([true, true, true, true]);
  expect(verdictsAt(1.11)).toEqual([false, false, false, false]);
});
