import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { official } from '../types/facade.ts';
import type { Sdk } from '../differential/sdks.ts';

/** A version of the official package, where it is installed. */
export interface Installed {
  readonly version: string;
  readonly folder: string;
  readonly exports: Readonly<Record<string, Target>>;
  /** What an entry exports at run time; `undefined` for one of types alone. */
  load(entry: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  sdk(): Promise<Sdk>;
}

interface Target {
  readonly types?: string;
  readonly default?: string;
}

/** Has npm install one version into an empty folder, without the CLI that it would bring along. */
export async function install(version: string, folder: string): Promise<Installed> {
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
  try {
    await npmInstall(`${official}@${version}`, folder);
  } catch (error) {
    throw new Error(`npm could not install ${official}@${version}.`, { cause: error });
  }
  return await installed(join(folder, 'node_modules', official));
}

/** Has npm install the CLI of a version, and returns its path; `undefined` where it has none for this system. */
export async function installCli(version: string, folder: string): Promise<string | undefined> {
  const name = `${official}-${process.platform}-${process.arch}`;
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
  try {
    await npmInstall(`${name}@${version}`, folder);
  } catch {
    return undefined;
  }
  return join(folder, 'node_modules', name, process.platform === 'win32' ? 'claude.exe' : 'claude');
}

async function npmInstall(specifier: string, cwd: string): Promise<void> {
  const flags = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--no-update-notifier'];
  await promisify(execFile)('npm', ['install', specifier, ...flags], { cwd, shell: process.platform === 'win32' });
}

/** The version that lies in a folder. */
export async function installed(folder: string): Promise<Installed> {
  // As npm wrote it.
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly exports: Installed['exports'];
  };
  const load: Installed['load'] = async (entry) => {
    const file = manifest.exports[entry]?.default;
    // A module has names.
    return file === undefined ? undefined : ((await import(pathToFileURL(join(folder, file)).href)) as object as never);
  };
  return {
    ...manifest,
    folder,
    load,
    // Compared as what it claims to be.
    sdk: async () => (await load('.')) as unknown as Sdk,
  };
}
