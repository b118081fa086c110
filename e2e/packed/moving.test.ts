// Moves a program that was written for the official package, and libraries that it uses, without an edit: by an alias and
// by an override, with npm and with pnpm, from tarballs of ours on a registry of our own. What stands for the official
// package there throws when it is loaded.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { startRegistry } from '../support/local-registry.ts';
import { otherRuntimes } from '../support/other-runtimes.ts';
import { compilers, compiling } from './compilers.ts';
import { ForeignProject } from './foreign-project.ts';
import { build, fixture, libraries, official, strangers } from './strangers.ts';

const ours = 'npm:@hexagent/claude-agent-sdk';
const alias = `${official}@${ours}`;
const [program, workspace] = ['program', 'workspace'].map((name) => fixture(`moved/${name}`)) as [string, string];

/** Programs that compile with the official package, as the test that runs them finds. */
const otherPrograms = fileURLToPath(new URL('../drop-in/programs', import.meta.url));
const programs = readdirSync(otherPrograms).filter((file) => file.endsWith('.ts') && file !== 'models.ts');

const { tarballs, nodes } = inject('packed');
const floor = nodes[0]?.executable ?? '';
const last = compilers.at(-1)!;
const bun = otherRuntimes().filter(({ name, executable }) => name === 'Bun' && executable !== undefined);

let project: ForeignProject;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hexagent-moved-'));
  const registry = await startRegistry([...tarballs.map(({ file }) => file), ...strangers(folder)]);
  project = new ForeignProject({ folder, registry: registry.url });
  return async () => {
    await registry.close();
    rmSync(folder, { recursive: true, force: true });
  };
});

// What stands for the CLI's package is a shell script.
describe.skipIf(process.platform === 'win32')('A program written for the official package', () => {
  const start = (name: string, needed: readonly string[]): void => {
    const versions = ['@hexagent/testing', ...needed].map((library) => [library, '*']);
    project.start(name, program, { [official]: '^0.3.0', ...Object.fromEntries(versions) });
  };

  it('is moved by an alias, which brings the peers of the official package, at its version', async () => {
    start('npm', ['asking-library']);
    await project.npm('install');
    await project.npm('install', alias);
    for (const { executable } of nodes) await project.run(executable, 'program.mjs');
    await project.run(floor, 'peers.mjs');
  });

  it('is moved with a library that accepts the version, by an alias alone', async () => {
    await project.run(floor, 'program.mjs', 'asking-library');
  });

  it('is moved with a library by an override that comes later, with npm update', async () => {
    project.add({ overrides: { [official]: `$${official}` } });
    await project.npm('update');
    await project.run(floor, 'program.mjs', 'asking-library');
  });

  it('is moved with all of its libraries by an override and an alias, with npm', async () => {
    start('npm-overrides', libraries);
    await project.npm('install');
    project.add({ overrides: { [official]: `$${official}` } });
    await project.npm('install', alias);
    for (const { executable } of nodes) await project.run(executable, 'program.mjs', ...libraries);
  });

  it('keeps the official package at hand under a second name', async () => {
    await project.npm('install', `official@npm:${official}`);
    expect(JSON.parse(project.read('node_modules/official/package.json'))).toMatchObject({ name: official });
    await project.run(floor, 'program.mjs', ...libraries);
  });

  it('finds the types, those of the tools too', async () => {
    await project.run(process.execPath, ...compiling(last, 'program.mts'));
  });

  it(`compiles with the alias alone, without an error in it or in its declarations: ${programs.length} of ${programs.length}`, async () => {
    project.start('alone', otherPrograms, {});
    project.add({ type: 'module' });
    project.remove('tsconfig.json');
    await project.npm('install', alias);
    await project.run(process.execPath, ...compiling(last, ...programs));
  });

  it('is moved by an alias among the devDependencies, beside a peer of the same name, with npm', async () => {
    project.start('npm-peer', program, { '@hexagent/testing': '*' });
    project.add({ peerDependencies: { [official]: '^0.3.0' } });
    await project.npm('install', '--save-dev', alias);
    await project.npm('install');
    await project.run(floor, 'program.mjs');
  });

  it('is moved with its libraries by an override, with pnpm', async () => {
    start('pnpm', libraries);
    await project.pnpm('install');
    project.write('pnpm-workspace.yaml', `overrides:\n  '${official}': '${ours}'\n`);
    await project.pnpm('install', '--no-frozen-lockfile');
    await project.run(floor, 'program.mjs', ...libraries);
  });
});

/** An application and two libraries in one repository, of which one has the official package as a peer. */
describe.skipIf(process.platform === 'win32')('A workspace written for the official package', () => {
  const runs = async (): Promise<void> => {
    await project.run(process.execPath, last.tsc, '--build', 'application');
    await project.run(floor, 'run.mjs');
  };

  it('is moved by the alias, said once for all of its packages, where it has no peers of it', async () => {
    project.start('npm-workspace-alias', workspace);
    // npm takes no alias for a peer.
    project.add({ peerDependencies: undefined }, 'libraries/guarding');
    await project.npm('install');
    await project.npm('install', alias, '--workspaces');
    await runs();
  });

  it('is moved by a line, with pnpm', async () => {
    const packages = 'packages: [application, libraries/*]\nlinkWorkspacePackages: true\n';
    project.start('pnpm-workspace', workspace);
    project.write('pnpm-workspace.yaml', packages);
    await project.pnpm('install');
    project.write('pnpm-workspace.yaml', `${packages}overrides:\n  '${official}': '${ours}'\n`);
    await project.pnpm('install', '--no-frozen-lockfile');
    await runs();
  });

  it('is moved by a line, with npm', async () => {
    project.start('npm-workspace', workspace);
    await project.npm('install');
    project.add({ overrides: { [official]: ours } });
    await project.npm('update');
    await runs();
  });

  it.each(compilers)('has no error for TypeScript $version, nor has a declaration that it uses', async ({ tsc }) => {
    await project.run(process.execPath, tsc, '--project', '.');
  });

  it.each([...nodes.map((node) => ({ name: 'Node', ...node })), ...bun])(
    'runs on $name $version',
    async ({ executable = '' }) => {
      await project.run(executable, 'run.mjs');
    },
  );
});

describe.skipIf(process.platform === 'win32')('The first run of a program without a CLI', () => {
  it.each([
    { imports: official, installs: alias },
    { imports: '@hexagent/sdk/claude-agent-sdk', installs: '@hexagent/sdk' },
  ])('names the command that repairs it, which works: $imports', async ({ imports, installs }) => {
    project.start(`first-run-${imports.split('/')[0]}`, fixture('first-run'), { '@hexagent/testing': '*' });
    await project.npm('install', '--omit=optional');
    await project.npm('install', installs, '--omit=optional');
    const wrong = await project.run(floor, 'program.mjs', imports);
    // A machine to work on may have a CLI of its own in PATH.
    if (wrong === '42\n' && process.env['CI'] !== 'true') return;
    expect(wrong).toMatch(/^AGENT_NOT_FOUND/u);
    const [, command = ''] = /npm (install \S+)/u.exec(wrong) ?? [];
    expect(command).toContain(`install ${official}-${build}@`);
    await project.npm(...command.split(' '));
    expect(await project.run(floor, 'program.mjs', imports)).toBe('42\n');
  });
});
