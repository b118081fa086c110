import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { official } from './facade.ts';

/** A statement in TypeScript, on one line, that compiles if what it states is so. */
export interface Claim {
  readonly id: string;
  readonly code: string;
}

/** A version of the API client, by the name it is installed under here. */
export type Client = (typeof clients)[number] | 'none';
export const clients = ['anthropic-082', 'anthropic-093', 'anthropic-100', 'anthropic-190'] as const;

const here = dirname(fileURLToPath(import.meta.url));

/**
 * Has the compiler judge each claim and returns those that do not hold, with its reason. There is no compiler to call as
 * a function in TypeScript 7, so the claims become a file; inside `node_modules`, where no other check picks it up.
 */
export async function refuted(
  imports: readonly string[],
  claims: readonly Claim[],
  { client }: { readonly client?: Client } = {},
): Promise<ReadonlyMap<string, string>> {
  const cache = join(here, '../node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'claims-'));
  try {
    const lines = [...imports, ...claims.map(({ code }) => code)];
    await writeFile(join(folder, 'claims.ts'), `${lines.join('\n')}\n`);
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(here, 'tsconfig.json'),
        include: [],
        files: ['claims.ts'],
        compilerOptions: { paths: { ...otherOfficial(), ...(client === undefined ? {} : pathsTo(client)) } },
      }),
    );
    return readErrors(await compile(folder), imports.length, claims);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where the types of the official package are, if not where it is installed: `pnpm canary` compares with another version. */
function otherOfficial(): Readonly<Record<string, readonly string[]>> {
  const folder = process.env['HEXAGENT_OFFICIAL'];
  if (!folder) return {};
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, { readonly types: string }>>; // as npm wrote it
  };
  return Object.fromEntries(
    Object.entries(manifest.exports).map(([entry, { types }]) => [join(official, entry), [join(folder, types)]]),
  );
}

/** Where the API client is found, by everything in the program; `none` is a client, and an MCP SDK, without any type. */
function pathsTo(client: Client): Readonly<Record<string, readonly string[]>> {
  const none = [join(here, 'no-client.d.ts')];
  if (client === 'none') return { '@anthropic-ai/sdk/*': none, '@modelcontextprotocol/sdk/*': none };
  const folder = join(here, '../node_modules', client);
  return {
    // What is not found here would be looked for beside the importer, where another version lies.
    '@anthropic-ai/sdk/resources': [join(folder, 'resources.d.ts')],
    '@anthropic-ai/sdk/*': [join(folder, '*')],
  };
}

function compile(folder: string): Promise<string> {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  execFile(
    process.execPath,
    [tsc, '-p', folder, '--pretty', 'false'],
    { maxBuffer: 2 ** 26 },
    (error, stdout, stderr) => {
      // 0: all hold. 1 and 2: some do not, and the output lists them. Anything else is a compiler that did not run.
      if (error === null || error.code === 1 || error.code === 2) resolve(stdout);
      else reject(new Error(`tsc failed: ${stderr}`, { cause: error }));
    },
  );
  return promise;
}

function readErrors(output: string, offset: number, claims: readonly Claim[]): ReadonlyMap<string, string> {
  const errors = new Map<string, string>();
  for (const line of output.split('\n')) {
    const {
      file = '',
      row,
      reason = '',
    } = /^(?<file>\S.*?)\((?<row>\d+),\d+\): error (?<reason>.*)$/.exec(line)?.groups ?? {};
    if (row === undefined) continue;
    const claim = claims[Number(row) - offset - 1];
    if (!file.endsWith('claims.ts') || claim === undefined) throw new Error(`An error outside the claims: ${line}`);
    if (!errors.has(claim.id)) errors.set(claim.id, reason);
  }
  return errors;
}
