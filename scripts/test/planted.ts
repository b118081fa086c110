// Throw-away folders to plant violations in: a guard that was never seen to catch anything guards nothing.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../workspace.mjs';

export class Folder implements Disposable {
  readonly dir: string;

  constructor() {
    this.dir = mkdtempSync(path.join(os.tmpdir(), 'hexagent-planted-'));
  }

  write(file: string, text: string): void {
    const target = path.join(this.dir, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }

  link(file: string, existing: string): void {
    const target = path.join(this.dir, file);
    rmSync(target, { force: true });
    mkdirSync(path.dirname(target), { recursive: true });
    symlinkSync(path.join(this.dir, existing), target);
  }

  /** Adds to a manifest, and installs what it then lists from where another package has it. */
  depend(
    folder: string,
    kind: 'dependencies' | 'devDependencies' | 'peerDependencies',
    name: string,
    from: string,
  ): void {
    const manifest = JSON.parse(this.read(`${folder}/package.json`));
    this.write(`${folder}/package.json`, JSON.stringify({ ...manifest, [kind]: { ...manifest[kind], [name]: '*' } }));
    this.link(`${folder}/node_modules/${name}`, from);
  }

  read(file: string): string {
    return readFileSync(path.join(this.dir, file), 'utf8');
  }

  run(command: string, ...args: readonly string[]): { readonly status: number | null; readonly output: string } {
    const { status, stdout, stderr, error } = spawnSync(command, args, {
      cwd: this.dir,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    if (error) throw error;
    return { status, output: stdout + stderr };
  }

  /** Commits everything, or nothing at all. */
  commit(message: string): void {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
    this.run('git', 'add', '-A');
    const { status, output } = this.run('git', ...identity, 'commit', '-q', '--allow-empty', '-m', message);
    if (status !== 0) throw new Error(output);
  }

  [Symbol.dispose](): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

// What a copy would only be slowed down by, or what another group of tests makes and removes meanwhile. The packages' own
// node_modules are relative links, and are kept.
const left = new Set(['.git', '.tools', '.turbo', 'node_modules', 'docs', 'tarballs']);
const isLeftOut = (file: string): boolean =>
  left.has(path.relative(root, file)) || /^(?:dist|fixtures|\.cache|\.vite.*)$/.test(path.basename(file));

/** A copy of the workspace's sources that shares the installed modules. */
export function copyOfWorkspace(): Folder {
  const copy = new Folder();
  cpSync(root, copy.dir, { recursive: true, verbatimSymlinks: true, filter: (file) => !isLeftOut(file) });
  symlinkSync(path.join(root, 'node_modules'), path.join(copy.dir, 'node_modules'), 'dir');
  return copy;
}
