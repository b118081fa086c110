// Projects of the frameworks in `examples/frameworks`, as a stranger has them: outside of the workspace, with what was packed.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cache } from '../../scripts/tarballs.mjs';
import { run } from './run.ts';

export interface Framework {
  readonly name: string;
  /** In `examples/frameworks`. */
  readonly source: string;
  /** What of the workspace it is installed with. */
  readonly libraries?: readonly string[];
  /** Of Node, with its arguments. */
  readonly build?: readonly string[];
  readonly start: readonly string[];
  /** What it prints when it answers. */
  readonly ready: string;
  /** With which it exits after SIGTERM. */
  readonly exitCode: number;
}

const examples = fileURLToPath(new URL('../../examples/frameworks', import.meta.url));
const standIn = fileURLToPath(new URL('fixtures/electron', import.meta.url));

const next = 'node_modules/next/dist/bin/next';

export const frameworks: readonly Framework[] = [
  {
    name: 'Express',
    source: 'express.ts',
    libraries: ['express'],
    start: ['express.ts'],
    ready: 'Listening',
    exitCode: 0,
  },
  {
    name: 'Fastify',
    source: 'fastify.ts',
    libraries: ['fastify'],
    start: ['fastify.ts'],
    ready: 'Listening',
    exitCode: 0,
  },
  {
    name: 'Next',
    source: 'next',
    build: [next, 'build'],
    start: [next, 'start', '--hostname', '127.0.0.1'],
    ready: 'Ready',
    exitCode: 143,
  },
  {
    name: 'SvelteKit',
    source: 'sveltekit',
    libraries: ['@sveltejs/adapter-node', '@sveltejs/kit', '@sveltejs/vite-plugin-svelte', 'svelte', 'vite'],
    build: ['node_modules/vite/bin/vite.js', 'build'],
    start: ['build'],
    ready: 'Listening',
    exitCode: 0,
  },
  {
    name: 'Electron, with a stand-in for its module',
    source: 'electron',
    start: ['main.mjs'],
    ready: 'Loaded',
    exitCode: 0,
  },
];

/** Lays a project into a temporary folder, which is removed by the caller. */
export async function layProject(
  { source, libraries = [] }: Framework,
  { packages, env }: { readonly packages: string; readonly env: NodeJS.ProcessEnv },
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hexagent-framework-'));
  const from = join(examples, source);
  cpSync(from, source.includes('.') ? join(folder, source) : folder, {
    recursive: true,
    filter: (file) => !/node_modules|\.next|\.svelte-kit|\/build$/.test(file.slice(from.length)),
  });
  const modules = join(folder, 'node_modules');
  if (source === 'next') cpSync(await fetchedModules(from, env), modules, { recursive: true });
  else writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const name of libraries) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(examples, 'node_modules', name), join(modules, name), 'junction');
  }
  if (source === 'electron') cpSync(standIn, join(modules, 'electron'), { recursive: true });
  cpSync(join(packages, '@hexagent'), join(modules, '@hexagent'), { recursive: true, dereference: true });
  return folder;
}

/** What is too large for the workspace, fetched from npm once for each list of versions. */
async function fetchedModules(from: string, env: NodeJS.ProcessEnv): Promise<string> {
  const folder = join(cache, 'next');
  const modules = join(folder, 'node_modules');
  const manifest = readFileSync(join(from, 'package.json'), 'utf8');
  const installed = join(folder, 'installed.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === manifest) return modules;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), manifest);
  await run('npm', ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    env,
  });
  writeFileSync(installed, manifest);
  return modules;
}
