import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runToEnd } from './run.ts';

/** A third-party project, and the package managers that work in it as they do there, with a home and caches of its own. */
export class ForeignProject {
  readonly #folder: string;
  readonly #registry: string;
  cwd = '';

  constructor({ folder, registry }: { readonly folder: string; readonly registry: string }) {
    this.#folder = folder;
    this.#registry = registry;
  }

  /** Begins a new project of these files, and of these packages where it has no manifest of its own. */
  start(name: string, files: string, dependencies?: Readonly<Record<string, string>>): void {
    this.cwd = join(this.#folder, name);
    cpSync(files, this.cwd, { recursive: true });
    this.write('.npmrc', `registry=${this.#registry}\n`);
    if (dependencies) this.write('package.json', JSON.stringify({ name: 'foreign', private: true, dependencies }));
  }

  /** Edits the manifest of the project, or of a package in it, as its author would. */
  add(fields: object, folder = '.'): void {
    const file = join(folder, 'package.json');
    this.write(file, JSON.stringify({ ...(JSON.parse(this.read(file)) as object), ...fields }));
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.cwd, file), text);
  }

  remove(file: string): void {
    rmSync(join(this.cwd, file));
  }

  read(file: string): string {
    return readFileSync(join(this.cwd, file), 'utf8');
  }

  npm(...args: readonly string[]): Promise<string> {
    return this.run('npm', ...args, '--no-audit', '--no-fund', '--no-update-notifier', '--ignore-scripts');
  }

  /** With these, pnpm has a store and a cache of its own. */
  get ofPnpm(): readonly string[] {
    return ['store', 'cache'].map((what) => `--config.${what}-dir=${join(this.#folder, `pnpm-${what}`)}`);
  }

  pnpm(...args: readonly string[]): Promise<string> {
    return this.run('pnpm', ...args, '--ignore-scripts', ...this.ofPnpm);
  }

  async run(command: string, ...args: readonly string[]): Promise<string> {
    return (await this.runToEnd(command, ...args)).stdout;
  }

  /** Its home is the folder: what is configured in the real one may name other registries. */
  runToEnd(command: string, ...args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
    const env = { PATH: process.env['PATH'], HOME: this.#folder, npm_config_cache: join(this.#folder, 'npm-cache') };
    return runToEnd(command, args, { cwd: this.cwd, env });
  }
}
