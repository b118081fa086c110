import { describe, expect, it } from 'vitest';
import { readJson, root } from '../workspace.mjs';
import { copyOfWorkspace, Folder } from './planted.ts';

describe('A gate', () => {
  it('fails for a file that is not formatted, has a wrong type or is not used, and names it', () => {
    using workspace = copyOfWorkspace();
    workspace.write('packages/ports/src/planted.ts', `export  const planted: number = 'four';\n`);
    const fails = (gate: string, ...options: readonly string[]): string => {
      const { status, output } = workspace.run('npm', 'run', gate, ...options);
      return `${status === 0 ? 'passes' : 'fails'} ${output}`;
    };
    expect(fails('format:check', '--', 'packages/ports')).toMatch(/^fails [^]*planted\.ts/);
    expect(fails('knip', '--', '--workspace=packages/ports')).toMatch(/^fails [^]*planted\.ts/);
    // The rest of the workspace takes longer, and is found by the references of the same file.
    expect(fails('typecheck', '--', '--stopBuildOnErrors')).toMatch(/^fails [^]*planted\.ts.*TS2322/);
    expect(fails('build', '--prefix=packages/ports')).toMatch(/^fails [^]*planted\.ts.*TS2322/);
  });

  it('fails for an example that does not do what it should', () => {
    using folder = new Folder();
    const { examples } = readJson(`${root}/package.json`).scripts;
    folder.write('package.json', JSON.stringify({ private: true, scripts: { examples } }));
    folder.write('pnpm-workspace.yaml', 'packages: [examples/*]\n');
    folder.write('examples/one/package.json', '{ "name": "one", "scripts": { "check": "exit 0" } }');
    expect(folder.run('npm', 'run', 'examples').status).toBe(0);
    folder.write('examples/two/package.json', '{ "name": "two", "scripts": { "check": "exit 7" } }');
    const { status, output } = folder.run('npm', 'run', 'examples');
    expect(output).toContain('examples/two check: Failed');
    expect(status).not.toBe(0);
  });
});
