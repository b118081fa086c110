// The versions of Node that the published packages are shown to run on, from the platform packages npm has of them.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { nodePackages, npmInstall } from './bootstrap.mjs';
import { cache } from './tarballs.mjs';

/** The floor, and the newest of each line that exists for Linux on both architectures. */
const versions = ['20.19.6', '22.23.3', '24.21.0', '26.10.0'];

/** `[{ version, executable }]`. Fetched once; where npm does not have them all, the running Node stands for them. */
export function installedNodes() {
  const name = nodePackages[`${process.platform}-${process.arch}`];
  if (process.platform !== 'linux' || name === undefined) {
    console.log(`--  Only Linux has every version as a package: using Node ${process.versions.node} alone.`);
    return [{ version: process.versions.node, executable: process.execPath }];
  }
  const folder = path.join(cache, 'nodes');
  const nodes = versions.map((version) => ({
    version,
    executable: path.join(folder, 'node_modules', `node-${version}`, 'bin', 'node'),
  }));
  if (!nodes.every(({ executable }) => existsSync(executable))) install(folder, name);
  for (const { version, executable } of nodes) assertVersion(executable, version);
  return nodes;
}

function install(folder, name) {
  const dependencies = Object.fromEntries(versions.map((version) => [`node-${version}`, `npm:${name}@${version}`]));
  const { status, stderr } = npmInstall(folder, dependencies, {
    env: { ...process.env, npm_config_ignore_scripts: 'true' },
  });
  if (status !== 0) throw new Error(`npm could not fetch the Node versions:\n${stderr}`);
}

function assertVersion(executable, version) {
  const { stdout } = spawnSync(executable, ['--version'], { encoding: 'utf8' });
  if (stdout?.trim() !== `v${version}`) throw new Error(`${executable} is not Node ${version}: ${stdout}`);
}
