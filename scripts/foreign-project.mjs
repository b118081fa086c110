// A project of somebody else, and the package managers that work in it as they do there: with a home, caches and a registry
// of its own.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readJson } from './workspace.mjs';

/** Packs a folder as `npm pack` does, and returns the file. */
export function pack(source, folder) {
  const staging = path.join(folder, 'packing', path.basename(source));
  const tarball = path.join(folder, `${path.basename(source)}.tgz`);
  cpSync(source, path.join(staging, 'package'), { recursive: true });
  execFileSync('tar', ['-czf', tarball, '-C', staging, 'package']);
  return tarball;
}

/** A project of a program, and the package managers that work in it with caches of their own. */
export class ForeignProject {
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

  /** Begins a new project of these files, and of these packages where it has no manifest of its own. */
  start(name, files, dependencies) {
    this.cwd = path.join(this.#folder, name);
    cpSync(files, this.cwd, { recursive: true });
    this.write('.npmrc', `registry=${this.#registry}\n`);
    if (dependencies) this.write('package.json', JSON.stringify({ name: 'foreign', private: true, dependencies }));
  }

  /** Edits the manifest of the project, or of a package in it, as its author would. */
  add(fields, folder = '.') {
    const file = path.join(folder, 'package.json');
    this.write(file, JSON.stringify({ ...readJson(path.join(this.cwd, file)), ...fields }));
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
    const options = { cwd: this.cwd, env: this.#env, timeout: 600_000 };
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
