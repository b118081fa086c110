import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from '../../scripts/tarballs.mjs';
import { nodePackages } from '../../scripts/tools.mjs';
import { root } from '../../scripts/workspace.mjs';
import { run } from './run.ts';

export interface InstalledNode {
  readonly version: string;
  readonly executable: string;
}

/** The oldest that work of the first two lines, and the newest of the others, of those that npm has for Linux on both architectures. */
const versions = ['20.19.0', '22.13.1', '24.21.0', '26.10.0'];

/** The versions that are promised, fetched from npm once. Where it does not have them all, the Node that began the run stands for them. */
export async function installedNodes(env: NodeJS.ProcessEnv): Promise<readonly InstalledNode[]> {
  const name = Object.entries(nodePackages).find(
    ([platform]) => platform === `${process.platform}-${process.arch}`,
  )?.[1];
  if (process.platform !== 'linux' || name === undefined) return [await startingNode(env)];
  const folder = join(cache, 'nodes');
  const nodes = versions.map((version) => ({
    version,
    executable: join(folder, 'node_modules', `node-${version}`, 'bin/node'),
  }));
  if (nodes.some(({ executable }) => !existsSync(executable))) {
    const dependencies = Object.fromEntries(versions.map((version) => [`node-${version}`, `npm:${name}@${version}`]));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, env });
  }
  return nodes;
}

/** The bootstrap may have fetched a newer one to run the tests on. */
async function startingNode(env: NodeJS.ProcessEnv): Promise<InstalledNode> {
  const executable = process.env['STARTED_BY_NODE'] ?? process.execPath;
  const version = await run(executable, ['-p', 'process.versions.node'], { cwd: root, env });
  return { version: version.trim(), executable };
}
