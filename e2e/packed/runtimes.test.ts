import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { carried } from '../../scripts/bundling.mjs';
import { publishedPackages } from '../../scripts/workspace.mjs';
import { cli } from '../support/cli.ts';
import { otherRuntimes } from '../support/other-runtimes.ts';
import { compilers, compiling } from './compilers.ts';
import { run } from './run.ts';

const { nodes, project, env } = inject('packed');
const [floor] = nodes;
const options = { cwd: project, env: { ...env, CLAUDE_CODE_PATH: cli } };

/** The entries of all packages that have this in `exports`, by the names with which they are imported. */
function entriesWith(kind: 'types' | 'default'): readonly string[] {
  return publishedPackages().flatMap(({ name, manifest }) =>
    Object.entries<Readonly<Record<string, string>>>(manifest.exports)
      .filter(([, target]) => /\.(?:m?js|d\.ts)$/u.test(target[kind] ?? ''))
      .map(([subpath]) => `${name}${subpath.slice(1)}`),
  );
}

/** The script of the inspector's page needs a browser. `e2e/browser` runs it. */
const forNode = entriesWith('default').filter((entry) => entry !== '@hexagent/inspector/page');

/**
 * Both ways in must lead to the same names; a package that awaits at its top level cannot be required. And the doors
 * of the facade lead to the same errors.
 */
const loading = `
  const assert = require('node:assert');
  const names = (module) => Object.keys(module).filter((name) => name !== 'module.exports').sort();
  (async () => {
    for (const entry of ${JSON.stringify(forNode)}) {
      assert.deepEqual(names(require(entry)), names(await import(entry)), entry);
    }
    const doors = ['@hexagent/sdk', '@hexagent/sdk/claude-agent-sdk', '@hexagent/claude-agent-sdk'].map(require);
    assert.equal(new Set(doors.map(({ AbortError }) => AbortError)).size, 1);
    assert.equal(doors[1].query, doors[2].query);
  })();`;

describe('A package from its tarball', () => {
  it('brings the licences: ours, and those of what its bundle carries', () => {
    const wanted = publishedPackages().flatMap(({ name }) =>
      ['LICENSE', 'README.md', ...(name in carried ? ['dist/THIRD-PARTY-LICENSES'] : [])].map((file) =>
        join(name, file),
      ),
    );
    expect(wanted.filter((file) => !existsSync(join(project, 'node_modules', file)))).toEqual([]);
  });

  // Nothing is skipped: a type that only our devDependencies provide shows here.
  it.each(compilers)('has types without an error for TypeScript $version', async (compiler) => {
    const file = `typed-${compiler.version}.mts`;
    const lines = entriesWith('types').map((entry, number) => `export type * as Entry${number} from '${entry}';`);
    writeFileSync(join(project, file), lines.join('\n'));
    await run(process.execPath, compiling(compiler, file), options);
  });

  it.each(nodes)('is imported and required by Node $version, and runs the quickstart', async ({ executable }) => {
    await run(executable, ['-e', loading], options);
    await run(executable, ['quickstart-with-a-model.mjs'], options);
  });

  it('has conversations on the oldest Node', async () => {
    await run(floor?.executable ?? '', ['conversation.mjs'], options);
  });

  for (const { name, executable, args } of otherRuntimes())
    it.skipIf(executable === undefined)(`runs the quickstart and has conversations on ${name}`, async () => {
      for (const program of ['quickstart-with-a-model.mjs', 'conversation.mjs'])
        await run(executable ?? '', [...args, program], options);
    });
});
