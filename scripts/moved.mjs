// Moves a program that was written for the official package, and libraries that it uses, without an edit: by an alias and
// by an override, with npm and with pnpm, from tarballs of ours on a registry of our own. What stands for the official
// package there throws when it is loaded.
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startRegistry } from './local-registry.mjs';
import { readJson, root } from './workspace.mjs';

const official = '@anthropic-ai/claude-agent-sdk';
const ours = 'npm:@hexagent/claude-agent-sdk';
const fixtures = path.join(root, 'scripts/fixtures/moved');
const alias = `${official}@${ours}`;

/**
 * @param tarballs those of our packages
 * @param cli the real CLI, which stands in the official package of this platform
 * @param searchPath the PATH on which npm and pnpm are
 * @param nodes the Nodes that the program must run on
 * @param compile has a compiler judge a file in a folder, and throws what it says
 * @param report receives `(what, error)`; without an error, what holds
 */
export async function checkMoved({ tarballs, cli, nodes, compile, searchPath, report }) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hexagent-moved-'));
  const registry = await startRegistry([...tarballs, ...strangers(folder, cli)]);
  const place = new Place({ folder, searchPath, registry: registry.url });
  const check = async (what, act) => {
    try {
      await act();
      report(what);
    } catch (error) {
      report(what, error);
    }
  };
  try {
    await check('An alias moves a program that had the official package', async () => {
      place.start('npm', { [official]: '^0.3.0', 'asking-library': '*' });
      await place.npm('install');
      await place.npm('install', alias);
      for (const node of nodes) await place.run(node.executable, 'program.mjs');
    });
    await check('An alias alone leaves a library the official package', async () => {
      await place.fails('The official package was loaded', nodes[0].executable, 'program.mjs', 'asking-library');
    });
    await check('An override that comes later moves it with npm update', async () => {
      place.add({ overrides: { [official]: `$${official}` } });
      await place.npm('update');
      await place.run(nodes[0].executable, 'program.mjs', 'asking-library');
    });
    await check('An override and an alias move the program and its libraries, with npm', async () => {
      place.start('npm-overrides', { [official]: '^0.3.0', 'asking-library': '*', 'peering-library': '*' });
      await place.npm('install');
      place.add({ overrides: { [official]: `$${official}` } });
      await place.npm('install', alias);
      for (const node of nodes) await place.run(node.executable, 'program.mjs', 'asking-library', 'peering-library');
    });
    await check('The types are there, those of the tools too', async () => compile(place.cwd, 'program.mts'));
    await check('An override moves the program and its libraries, with pnpm', async () => {
      place.start('pnpm', { [official]: '^0.3.0', 'asking-library': '*', 'peering-library': '*' });
      await place.pnpm('install');
      place.write('pnpm-workspace.yaml', `overrides:\n  '${official}': '${ours}'\n`);
      await place.pnpm('install', '--no-frozen-lockfile');
      await place.run(nodes[0].executable, 'program.mjs', 'asking-library', 'peering-library');
    });
  } finally {
    await registry.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Packages of other people: libraries, what stands for the official package, and its package for this platform. */
function strangers(folder, cli) {
  const platform = path.join(folder, 'platform');
  const name = `${official}-${process.platform}-${process.arch}`;
  const { optionalDependencies } = readJson(path.join(root, 'packages/claude-agent-sdk/package.json'));
  mkdirSync(platform);
  writeFileSync(path.join(platform, 'package.json'), JSON.stringify({ name, version: optionalDependencies[name] }));
  writeFileSync(path.join(platform, 'claude'), `#!/bin/sh\nexec '${cli}' "$@"\n`);
  chmodSync(path.join(platform, 'claude'), 0o755);
  const libraries = ['asking-library', 'peering-library', 'official'].map((library) => path.join(fixtures, library));
  return [platform, ...libraries].map((source) => pack(source, folder));
}

function pack(source, folder) {
  const staging = path.join(folder, 'packing', path.basename(source));
  const tarball = path.join(folder, `${path.basename(source)}.tgz`);
  cpSync(source, path.join(staging, 'package'), { recursive: true });
  execFileSync('tar', ['-czf', tarball, '-C', staging, 'package']);
  return tarball;
}

/** A project of a program, and the package managers that work in it with caches of their own. */
class Place {
  #folder;
  #registry;
  #env;
  cwd;

  constructor({ folder, searchPath, registry }) {
    this.#folder = folder;
    this.#registry = registry;
    // A home of its own: what is configured in the real one may name other registries.
    this.#env = { PATH: searchPath, HOME: folder, npm_config_cache: path.join(folder, 'npm-cache') };
  }

  /** Begins a new project, of a program that needs these packages, and a model. */
  start(name, dependencies) {
    this.cwd = path.join(this.#folder, name);
    cpSync(path.join(fixtures, 'program'), this.cwd, { recursive: true });
    this.write('.npmrc', `registry=${this.#registry}\n`);
    const manifest = { name: 'moved', private: true, dependencies: { '@hexagent/testing': '*', ...dependencies } };
    this.write('package.json', JSON.stringify(manifest));
  }

  /** Edits the project's manifest as its author would. */
  add(fields) {
    this.write('package.json', JSON.stringify({ ...readJson(path.join(this.cwd, 'package.json')), ...fields }));
  }

  write(file, text) {
    writeFileSync(path.join(this.cwd, file), text);
  }

  npm(...args) {
    return this.run('npm', ...args, '--no-audit', '--no-fund', '--no-update-notifier', '--ignore-scripts');
  }

  pnpm(...args) {
    const own = ['store', 'cache'].map((what) => `--config.${what}-dir=${path.join(this.#folder, `pnpm-${what}`)}`);
    return this.run('pnpm', ...args, '--ignore-scripts', ...own);
  }

  run(command, ...args) {
    const options = { cwd: this.cwd, env: this.#env, timeout: 120_000 };
    return new Promise((resolve, reject) => {
      execFile(command, args, options, (error, stdout, stderr) => {
        if (error) reject(new Error(`${command} ${args.join(' ')}:\n${stdout}${stderr}`, { cause: error }));
        else resolve(stdout);
      });
    });
  }

  async fails(why, command, ...args) {
    const error = await this.run(command, ...args).then(
      () => undefined,
      (reason) => reason,
    );
    if (!error?.message.includes(why)) throw new Error(`It should have failed with "${why}".`, { cause: error });
  }
}
