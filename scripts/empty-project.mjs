// An npm project with our tarballs, as a stranger has it: outside of the workspace, with nothing of it above or in the environment.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from './workspace.mjs';

/** What a stranger's shell has; nothing of ours may leak in and make it work here only. */
export const environment = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(npm_config_|NODE_EXTRA_CA|https?_proxy)/i.test(name)),
  ),
};

/** The folder of a project that needs these packages. Nothing is installed yet. */
export function emptyProject(tarballs) {
  const project = mkdtempSync(path.join(os.tmpdir(), 'hexagent-packed-'));
  const dependencies = Object.fromEntries(tarballs.map(({ name, file }) => [name, `file:${file}`]));
  writeFileSync(path.join(project, 'package.json'), JSON.stringify({ name: 'stranger', private: true, dependencies }));
  return project;
}

/** Has npm install what a project needs, but for the CLI, which is here already. @throws {Error} with what npm wrote */
export function install(project) {
  // A request that gets no answer is tried again in time: npm would wait for five minutes.
  const flags = ['--no-audit', '--no-fund', '--no-update-notifier', '--fetch-timeout=60000'];
  const { status, signal, stdout, stderr } = spawnSync(
    'npm',
    ['install', '--prefer-offline', '--ignore-scripts', '--omit=optional', ...flags],
    { cwd: project, env: environment, encoding: 'utf8', timeout: 300_000, shell: process.platform === 'win32' },
  );
  if (status === 0) return;
  const how = signal === null ? `ended with ${status}` : 'was stopped after five minutes';
  throw new Error(`npm cannot install the tarballs into an empty project: it ${how}.\n${stdout}${stderr}`);
}

/** The workspace's own CLI, so that none need be downloaded. Found by the package that was built. */
export async function cliExecutable() {
  const { findCli, readHostEnvironment } = await import('../packages/processes/dist/index.js');
  const resolveFrom = path.join(root, 'e2e/package.json');
  return findCli(readHostEnvironment({ env: process.env, resolveFrom })).path;
}
