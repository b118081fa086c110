import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toolPath } from '../../scripts/workspace.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Types, the comparison with the official package, recordings, and what runs ours with the real CLI. */
const all = [
  'types/',
  'differential/',
  'recordings/',
  'conversation/',
  'drop-in/',
  'hooks/',
  ...['own-mcp-servers', 'own-servers', 'dialled-servers', 'smoke'].map((name) => `tools/${name}`),
  ...['permissions.test', 'plans', 'questions', 'smoke'].map((name) => `permissions/${name}`),
  ...['launch', 'wire.test', 'smoke'].map((name) => `wire/${name}`),
  ...['resuming', 'smoke'].map((name) => `sessions/${name}`),
];

interface Report {
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

export interface Ran {
  readonly count: number;
  /** Each with its file. */
  readonly failed: readonly string[];
}

/** Runs the tests of this repository with another version of the official package, and of the CLI. */
export async function runSuites(
  official: string,
  cli: string | undefined,
  suites: readonly string[] = all,
): Promise<Ran> {
  const folder = await mkdtemp(join(tmpdir(), 'canary-suites-'));
  const output = join(folder, 'report.json');
  const args = ['run', '--reporter=json', `--outputFile=${output}`];
  const env = { ...process.env, HEXAGENT_OFFICIAL: official, ...(cli === undefined ? {} : { CLAUDE_CODE_PATH: cli }) };
  try {
    await new Promise((resolve) => {
      const files = suites.map((name) => `e2e/${name}`);
      execFile(
        process.execPath,
        [toolPath('vitest'), ...args, ...files],
        { cwd: root, env, maxBuffer: 2 ** 28 },
        resolve,
      );
    });
    const { numTotalTests, testResults } = JSON.parse(await readFile(output, 'utf8')) as Report; // as Vitest writes it
    const failed = testResults.flatMap(({ name, message, assertionResults }) => {
      const titles = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
      return (titles.length === 0 && message !== '' ? [message.split('\n')[0]] : titles).map(
        (title) => `${relative(root, name)}: ${title}`,
      );
    });
    return { count: numTotalTests, failed };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
