// Moves a program that was written for the official package, and libraries that it uses, without an edit: by an alias and
// by an override, with npm and with pnpm, from tarballs of ours on a registry of our own. What stands for the official
// package there throws when it is loaded.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { compiling } from './compilers.mjs';
import { build, checkFirstRun } from './first-run.mjs';
import { ForeignProject, pack } from './foreign-project.mjs';
import { startRegistry } from './local-registry.mjs';
import { readJson, root } from './workspace.mjs';

const official = '@anthropic-ai/claude-agent-sdk';
const ours = 'npm:@hexagent/claude-agent-sdk';
const fixtures = path.join(root, 'scripts/fixtures/moved');
const [program, workspace] = ['program', 'workspace'].map((name) => path.join(fixtures, name));
const alias = `${official}@${ours}`;

/**
 * @param tarballs those of our packages
 * @param cli the real CLI, which stands in the official package of this platform
 * @param searchPath the PATH on which npm and pnpm are
 * @param nodes the Nodes that the program must run on
 * @param runtimes others that it must run on
 * @param compilers the versions of TypeScript that must find no error
 * @param report receives `(what, error)`; without an error, what holds
 */
export async function checkMoved({ tarballs, cli, nodes, runtimes, compilers, searchPath, report }) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hexagent-moved-'));
  const registry = await startRegistry([...tarballs, ...strangers(folder, cli)]);
  const project = new ForeignProject({ folder, searchPath, registry: registry.url });
  const check = async (what, act) => {
    try {
      await act();
      report(what);
    } catch (error) {
      report(what, error);
    }
  };
  try {
    await checkProgram({ project, nodes, compiler: compilers.at(-1), check });
    await checkWorkspace({ project, nodes, runtimes, compilers, check });
    await checkFirstRun({ project, node: nodes[0].executable, check });
  } finally {
    await registry.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A program, and libraries that it has from the registry. */
async function checkProgram({ project, nodes, compiler, check }) {
  const [floor] = nodes;
  const both = ['asking-library', 'peering-library'];
  const start = (name, libraries) => {
    const needed = ['@hexagent/testing', ...libraries].map((library) => [library, '*']);
    project.start(name, program, { [official]: '^0.3.0', ...Object.fromEntries(needed) });
  };
  await check('An alias moves a program that had the official package', async () => {
    start('npm', ['asking-library']);
    await project.npm('install');
    await project.npm('install', alias);
    for (const node of nodes) await project.run(node.executable, 'program.mjs');
  });
  await check('An alias alone leaves a library the official package', async () => {
    await project.fails('The official package was loaded', floor.executable, 'program.mjs', 'asking-library');
  });
  await check('An override that comes later moves it with npm update', async () => {
    project.add({ overrides: { [official]: `$${official}` } });
    await project.npm('update');
    await project.run(floor.executable, 'program.mjs', 'asking-library');
  });
  await check('An override and an alias move the program and its libraries, with npm', async () => {
    start('npm-overrides', both);
    await project.npm('install');
    project.add({ overrides: { [official]: `$${official}` } });
    await project.npm('install', alias);
    for (const node of nodes) await project.run(node.executable, 'program.mjs', ...both);
  });
  await check('The official package stays at hand under a second name', async () => {
    await project.npm('install', `official@npm:${official}`);
    const { name } = readJson(path.join(project.cwd, 'node_modules/official/package.json'));
    if (name !== official) throw new Error(`The second name leads to ${name}.`);
    await project.run(floor.executable, 'program.mjs', ...both);
  });
  await check('The types are there, those of the tools too', async () => {
    await project.run(process.execPath, ...compiling(compiler, 'program.mts'));
  });
  await check('An override moves the program and its libraries, with pnpm', async () => {
    start('pnpm', both);
    await project.pnpm('install');
    project.write('pnpm-workspace.yaml', `overrides:\n  '${official}': '${ours}'\n`);
    await project.pnpm('install', '--no-frozen-lockfile');
    await project.run(floor.executable, 'program.mjs', ...both);
  });
}

/** An application and two libraries in one repository, of which one has the official package as a peer. */
async function checkWorkspace({ project, nodes, runtimes, compilers, check }) {
  const runs = async () => {
    await project.run(process.execPath, compilers.at(-1).tsc, '--build', 'application');
    await project.run(nodes[0].executable, 'run.mjs');
  };
  await check('The alias moves a workspace that has no peers of it, said once for all of its packages', async () => {
    project.start('npm-workspace-alias', workspace);
    // npm takes no alias for a peer.
    project.add({ peerDependencies: undefined }, 'libraries/guarding');
    await project.npm('install');
    await project.npm('install', alias, '--workspaces');
    await runs();
  });
  await check('A line moves a workspace of pnpm', async () => {
    const packages = 'packages: [application, libraries/*]\nlinkWorkspacePackages: true\n';
    project.start('pnpm-workspace', workspace);
    project.write('pnpm-workspace.yaml', packages);
    await project.pnpm('install');
    project.write('pnpm-workspace.yaml', `${packages}overrides:\n  '${official}': '${ours}'\n`);
    await project.pnpm('install', '--no-frozen-lockfile');
    await runs();
  });
  await check('A line moves a workspace of npm', async () => {
    project.start('npm-workspace', workspace);
    await project.npm('install');
    project.add({ overrides: { [official]: ours } });
    await project.npm('update');
    await runs();
  });
  for (const { version, tsc } of compilers)
    await check(`TypeScript ${version} finds no error in it, nor in a declaration that it uses`, () =>
      project.run(process.execPath, tsc, '--project', '.'),
    );
  for (const { name = 'Node', version, executable, args = [] } of [...nodes, ...runtimes])
    await check(`${name} ${version} runs it`, () => project.run(executable, ...args, 'run.mjs'));
}

/**
 * Packages of other people: libraries, what stands for the official package, the CLI as both packages bring it for this
 * platform, and types.
 */
function strangers(folder, cli) {
  const { optionalDependencies } = readJson(path.join(root, 'packages/claude-agent-sdk/package.json'));
  const make = (name, { version, script, ...fields }) => {
    const source = path.join(folder, name.replace('@', '').replaceAll('/', '-'));
    mkdirSync(source);
    writeFileSync(path.join(source, 'package.json'), JSON.stringify({ name, version, ...fields }));
    if (script) writeFileSync(path.join(source, 'claude'), script, { mode: 0o755 });
    return source;
  };
  const script = `#!/bin/sh\nexec '${cli}' "$@"\n`;
  const [sdkBuild, code] = [`${official}-${build}`, '@anthropic-ai/claude-code'];
  const codeBuild = `${code}-${build}`;
  const made = [
    make(sdkBuild, { version: optionalDependencies[sdkBuild], script }),
    make(codeBuild, { version: '2.1.326', script }),
    make(code, { version: '2.1.326', optionalDependencies: { [codeBuild]: '2.1.326' } }),
  ];
  const libraries = ['asking-library', 'peering-library', 'official'].map((library) => path.join(fixtures, library));
  const found = ['zod', '@types/node'].map((name) => realpathSync(path.join(root, 'packages/sdk/node_modules', name)));
  const undici = realpathSync(path.join(found[1], '../../undici-types'));
  return [...made, ...libraries, ...found, undici].map((source) => pack(source, folder));
}
