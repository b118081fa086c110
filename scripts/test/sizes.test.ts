import { cpSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root, toolPath } from '../workspace.mjs';
import { Folder } from './planted.ts';

it('A door that has become a tenth larger is too large', () => {
  using folder = new Folder();
  for (const file of ['.size-limit.mjs', 'package.json']) cpSync(path.join(root, file), path.join(folder.dir, file));
  const statements = (count: number): string => `export const query = () => [${'0.123456,'.repeat(count)}];`;
  const sizes = (): string => folder.run(process.execPath, toolPath('size-limit'), '--json').output;
  for (const file of ['index', 'claude-agent-sdk', 'chunks/shared'])
    folder.write(`packages/sdk/dist/${file}.js`, statements(100));
  expect(sizes()).not.toContain('"passed": false');
  folder.write('packages/sdk/dist/claude-agent-sdk.js', statements(100_000));
  expect(sizes().match(/"passed": false/g)).toHaveLength(2);
});
