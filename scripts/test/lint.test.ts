import { expect, it } from 'vitest';
import { toolPath } from '../workspace.mjs';
import { copyOfWorkspace } from './planted.ts';

const callLater = `import { later } from '@hexagent/async';\nlater();\n`;

const plants = {
  'packages/async/src/planted.ts': 'export async function later(): Promise<void> {}\nlater();\n',
  'packages/domain/streaming/test/planted.ts': callLater,
  'packages/domain/streaming/src/planted.ts': callLater,
} as const;

const habits = {
  'no-explicit-any': 'export const planted: any = 1;',
  'no-non-null-assertion': 'export const planted = (text: string | undefined): string => text!;',
  'no-default-export': 'export default 1;',
  'no-console': `console.log('x');`,
  eqeqeq: `export const planted = (text: string): boolean => text == 'x';`,
} as const;

it('The linter sees a promise that is not awaited, within a package and across two, and the habits that the house style names', () => {
  using workspace = copyOfWorkspace();
  for (const [file, code] of Object.entries(plants)) workspace.write(file, code);
  const index = 'packages/async/src/index.ts';
  workspace.write(index, `${workspace.read(index)}\nexport { later } from './planted.ts';\n`);
  for (const [rule, code] of Object.entries(habits))
    workspace.write(`packages/ports/src/planted-${rule}.ts`, `${code}\n`);
  const { status, output } = workspace.run(process.execPath, toolPath('oxlint'), '--format=unix');
  expect(status).toBe(1);
  const lines = output.split('\n');
  const floating = lines.filter((line) => /planted.*no-floating-promises/.test(line));
  expect(floating.map((line) => line.split(':')[0]).toSorted()).toEqual(Object.keys(plants).toSorted());
  for (const rule of Object.keys(habits))
    expect(lines).toContainEqual(expect.stringMatching(`planted-${rule}.ts.*${rule}`));
});
