// Before the tests of this room: a build, and an npm project with its tarballs, as a stranger has it, outside of the workspace.
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { packAll } from '../../scripts/tarballs.mjs';
import { root } from '../../scripts/workspace.mjs';
import { installed, pack, startRegistry } from '../support/local-registry.ts';
import { installedNodes, type InstalledNode } from './nodes.ts';
import { run } from './run.ts';

interface Packed {
  readonly tarballs: readonly { readonly name: string; readonly file: string }[];
  /** The folder of the project. */
  readonly project: string;
  /** The floor first. */
  readonly nodes: readonly InstalledNode[];
  /** What a stranger's shell has; nothing of ours may leak in and make it work here only. */
  readonly env: NodeJS.ProcessEnv;
}

declare module 'vitest' {
  interface ProvidedContext {
    packed: Packed;
  }
}

const shown = /^(?:PATH|HOME|npm_config_.*|NODE_EXTRA_CA.*|https?_proxy.*)$/iu;
const programs = [
  '../../examples/quickstart/quickstart.mjs',
  'programs/quickstart-with-a-model.mjs',
  'programs/conversation.mjs',
  ...['suites.mjs', 'suites.node.mjs', 'suites.bun.test.mjs', 'suites.jest.mjs'].map((name) => `programs/${name}`),
];

/** The peers that a package does not do without, and where that is. */
const neededPeers = {
  pg: 'server/postgres',
  '@types/pg': 'server/postgres',
  '@opentelemetry/api': 'adapters/otel',
};

export default async function setUp({ provide }: TestProject): Promise<() => void> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => shown.test(name)));
  await run('pnpm', ['run', 'build'], { cwd: root, env: process.env });
  const nodes = await installedNodes(env);
  const tarballs = packAll();
  const project = mkdtempSync(join(tmpdir(), 'hexagent-packed-'));
  const dependencies = Object.fromEntries(tarballs.map(({ name, file }) => [name, `file:${file}`]));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'stranger', private: true, dependencies }));
  // Without the CLI, which is here already, and without peers: those of the alias bring a hundred packages, whose types need
  // more than ours do. What is left to fetch is here, too: no test depends on how fast a registry is.
  const left = ['--omit=optional', '--legacy-peer-deps', '--ignore-scripts'];
  const flags = ['--no-audit', '--no-fund', '--no-update-notifier'];
  const registry = await startRegistry([pack(installed('zod-to-json-schema'), project)]);
  await run('npm', ['install', ...left, ...flags, `--registry=${registry.url}`], { cwd: project, env });
  await registry.close();
  for (const [name, folder] of Object.entries(neededPeers)) {
    mkdirSync(dirname(join(project, 'node_modules', name)), { recursive: true });
    symlinkSync(
      realpathSync(join(root, 'packages', folder, 'node_modules', name)),
      join(project, 'node_modules', name),
    );
  }
  for (const program of programs) {
    const file = fileURLToPath(new URL(program, import.meta.url));
    copyFileSync(file, join(project, program.replace(/^.*\//u, '')));
  }
  provide('packed', { tarballs, project, nodes, env });
  return () => rmSync(project, { recursive: true, force: true });
}
