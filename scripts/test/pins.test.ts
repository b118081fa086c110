import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { publishedPackages, root, toolPath } from '../workspace.mjs';
import { Folder } from './planted.ts';

const index = `
  import type { Hidden } from './hidden.js';
  export type { Named as Renamed } from './hidden.js';
  /** Greets. */
  export declare function greet(whom: Hidden): string;`;
const hidden = `
  export interface Hidden { readonly name: string; readonly deep: { readonly depth: number } }
  export interface Named { readonly id: number }
  export interface Unreachable { readonly never: true }`;

function packageWith(declarations: Readonly<Record<string, string>>): Folder {
  const workspace = new Folder();
  const exports = { '.': { types: './dist/index.d.ts' }, './same.js': { types: './dist/index.d.ts' } };
  workspace.write(
    'packages/ports/package.json',
    JSON.stringify({ name: '@hexagent/ports', version: '1.0.0', exports }),
  );
  declare(workspace, declarations);
  return workspace;
}

function declare(workspace: Folder, declarations: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(declarations)) workspace.write(`packages/ports/dist/${name}.d.ts`, text);
}

const pins = (workspace: Folder, ...flags: readonly string[]) =>
  workspace.run(process.execPath, path.join(root, 'scripts/pins.mjs'), workspace.dir, ...flags);

describe('The report of a public surface', () => {
  it('#64 holds every exported declaration and what those mention, and nothing else', () => {
    using workspace = packageWith({ index, hidden });
    expect(pins(workspace, '--update').status).toBe(0);
    const text = workspace.read('packages/ports/api/index.api.md');
    expect(text).toContain('export function greet(whom: Hidden): string;');
    expect(text).toContain('readonly depth: number');
    expect(text).toContain('export interface Renamed');
    expect(text).not.toContain('Unreachable');
    expect(pins(workspace)).toEqual({ status: 0, output: '' });
  });

  it('fails when a signature changes, a type that is only mentioned, or an export goes, and shows the change', () => {
    using workspace = packageWith({ index, hidden });
    pins(workspace, '--update');
    const change = (declarations: Readonly<Record<string, string>>): string => {
      declare(workspace, { index, hidden, ...declarations });
      const { status, output } = pins(workspace);
      return `${status} ${output}`;
    };
    expect(change({ index: index.replace(': string;', ': number;') })).toMatch(/^1 [^]*\n\+export function greet/);
    expect(change({ hidden: hidden.replace('depth', 'height') })).toMatch(/^1 [^]*readonly height: number/);
    expect(change({ index: 'export {};' })).toMatch(/^1 [^]*\n-export function greet/);
  });

  it.each([
    ['has no report yet', { index, hidden }, 'pnpm pins --update'],
    ['has not been built', {}, 'pnpm build'],
  ])('fails when a package %s', (_what, declarations, remedy) => {
    using workspace = packageWith(declarations);
    const { status, output } = pins(workspace);
    expect(status).toBe(1);
    expect(output).toContain(remedy);
  });

  it('is compared with a fresh build of each door', () => {
    const plan = spawnSync(process.execPath, [toolPath('turbo'), 'run', 'pins', '--dry=json'], { cwd: root });
    const { tasks } = JSON.parse(plan.stdout.toString()) as { tasks: readonly { taskId: string }[] };
    const doors = publishedPackages().filter(({ dir }) => existsSync(path.join(dir, 'api')));
    expect(tasks.map(({ taskId }) => taskId)).toEqual(expect.arrayContaining(doors.map(({ name }) => `${name}#build`)));
  });
});
