import { describe, expect, it } from 'vitest';
import path from 'node:path';
import { root } from '../workspace.mjs';
import { Folder } from './planted.ts';

const script = path.join(root, 'scripts/pins.mjs');

function packageWith(declarations: Readonly<Record<string, string>>): Folder {
  const workspace = new Folder();
  const target = (file: string) => ({ types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` });
  const manifest = { name: '@hexagent/demo', exports: { '.': target('index'), './more': target('more') } };
  workspace.write('packages/demo/package.json', JSON.stringify(manifest));
  workspace.write('packages/demo/dist/more.d.ts', 'export declare const more: string;');
  for (const [name, text] of Object.entries(declarations)) workspace.write(`packages/demo/dist/${name}.d.ts`, text);
  return workspace;
}

function pin(workspace: Folder): string {
  expect(workspace.run(process.execPath, script, '--update', workspace.dir).status).toBe(0);
  return workspace.read('packages/demo/api.txt');
}

const index = `
  import type { Hidden } from './hidden.js';
  export { type Named as Renamed } from './hidden.js';
  /** Says hello. */
  export declare function greet(whom: Hidden): string;`;
const hidden = `
  interface Deep { readonly depth: number }
  export interface Hidden { readonly name: string; readonly deep: Deep }
  export interface Named { readonly id: number }
  export interface Unreachable { readonly never: true }`;

describe('The pin of a public surface', () => {
  it('#64 holds every entry, every exported declaration and what those mention, and nothing else', () => {
    using workspace = packageWith({ index, hidden });
    const text = pin(workspace);
    expect(text).toContain('# @hexagent/demo\n');
    expect(text).toContain('# @hexagent/demo/more\n');
    expect(text).toContain('export declare function greet(whom: Hidden): string;');
    expect(text).toContain('export declare const more: string;');
    expect(text).toContain('Renamed = export interface Named');
    expect(text).toContain('readonly deep: Deep;');
    expect(text).toContain('readonly depth: number;');
    expect(text).not.toContain('Unreachable');
    expect(text).not.toContain('Says hello');
  });

  it('shows an entry with the types of another by its name', () => {
    using workspace = packageWith({ index, hidden });
    const manifest = JSON.parse(workspace.read('packages/demo/package.json'));
    manifest.exports['./more.js'] = manifest.exports['./more'];
    workspace.write('packages/demo/package.json', JSON.stringify(manifest));
    const text = pin(workspace);
    expect(text).toContain('# @hexagent/demo/more.js\n\nThe same as @hexagent/demo/more.\n');
    expect(text.match(/export declare const more/g)).toHaveLength(1);
  });

  it('passes when only comments and spaces change', () => {
    using workspace = packageWith({ index, hidden });
    pin(workspace);
    workspace.write('packages/demo/dist/index.d.ts', index.replace('Says hello.', 'Greets.').replaceAll('  ', '    '));
    expect(workspace.run(process.execPath, script, workspace.dir)).toMatchObject({ status: 0 });
  });

  it.each([
    ['a signature', { index: index.replace(': string;', ': number;'), hidden }, '+ export declare function greet'],
    [
      'a type that is only mentioned',
      { index, hidden: hidden.replace('depth', 'height') },
      '+     readonly height: number;',
    ],
    ['an export that goes', { index: 'export {};', hidden }, '- export declare function greet'],
  ])('fails when %s changes, and shows the change', (_what, declarations, shown) => {
    using workspace = packageWith({ index, hidden });
    pin(workspace);
    for (const [name, text] of Object.entries(declarations)) workspace.write(`packages/demo/dist/${name}.d.ts`, text);
    const { status, output } = workspace.run(process.execPath, script, workspace.dir);
    expect(status).toBe(1);
    expect(output).toContain('packages/demo/api.txt');
    expect(output).toContain(shown);
  });

  it('fails when a package has no pin yet', () => {
    using workspace = packageWith({ index, hidden });
    expect(workspace.run(process.execPath, script, workspace.dir).status).toBe(1);
  });

  it('fails when a package has not been built', () => {
    using workspace = packageWith({ index, hidden });
    workspace.write(
      'packages/other/package.json',
      JSON.stringify({ name: 'x', exports: { '.': { types: './dist/index.d.ts' } } }),
    );
    const { status, output } = workspace.run(process.execPath, script, workspace.dir);
    expect(status).toBe(1);
    expect(output).toContain('pnpm build');
  });
});
