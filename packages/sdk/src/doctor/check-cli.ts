import { open, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isRecord } from '@hexagent/checks';
import { SdkError } from '@hexagent/ports';
import { checkFile, checkProgram, type CliSearch, type FoundProgram } from '@hexagent/processes';
import { compareVersions, oldestCli, testedCli } from './cli-versions.ts';
import type { Machine } from './machine.ts';
import { programBuild, type ProgramBuild } from './program-build.ts';
import { fail, joined, ok, warn, type Finding } from './report.ts';

const newest = 'npm install @anthropic-ai/claude-code@latest';
const isScript = (path: string): boolean => /\.[cm]?[jt]s$/.test(path);

/** Where the CLI is, and what led there. */
export function checkSearch(search: CliSearch): Finding {
  if ('path' in search) return ok(`${search.path}, found through ${search.through}.`);
  const [message = '', ...places] = search.message.split('\n');
  const looked = places.map((place) => place.trim().replace(/^- /, '')).join('; ');
  const [, found = message, install] = /^(.*) (Install it with: .*?)\.?$/.exec(message) ?? [];
  const code = search.failure === 'missing' ? 'AGENT_NOT_FOUND' : 'AGENT_NOT_EXECUTABLE';
  const remedy =
    install === undefined ? new SdkError(code, '').remedy : `${install}, or name its path in CLAUDE_CODE_PATH.`;
  return fail(`${found} ${looked}`.trim(), remedy);
}

/** Whether the file is a program of this system that this user may run. */
export async function checkBuild(program: FoundProgram, machine: Machine): Promise<Finding> {
  try {
    checkFile(program);
    if (isScript(program.path)) return ok('A script, run by the Node of the program.');
    const build = programBuild(await headOf(program.path));
    const wrong = wrongBuild(program.path, build, machine);
    if (wrong !== undefined) return wrong;
    checkProgram(program, machine.env['PATH'], machine.host);
    return ok(build === 'script' ? 'A script with an interpreter.' : `Built for this system, ${systemOf(machine)}.`);
  } catch (error) {
    if (!SdkError.is(error)) throw error;
    return fail(error.message, error.remedy);
  }
}

function wrongBuild(path: string, build: ProgramBuild | 'script' | undefined, machine: Machine): Finding | undefined {
  const { platform, arch } = machine.host;
  const install = `Install the build for this system: npm install @anthropic-ai/claude-agent-sdk-${systemOf(machine)}`;
  if (build === 'script') return undefined;
  if (build === undefined)
    return fail(`${path} is not a program: its first bytes are those of no known format.`, install);
  const built = `${path} was built for ${build.platform}-${build.arch ?? 'another processor'}, this is ${platform}-${arch}.`;
  if (build.platform !== platform) return fail(built, install);
  if (build.arch === arch || (build.arch === undefined && platform === 'darwin')) return undefined;
  // macOS and Windows translate some of the other processor's programs.
  return platform === 'linux' ? fail(built, install) : warn(built, install);
}

function systemOf({ host }: Machine): string {
  const musl = host.platform === 'linux' && host.libc() === 'musl' ? '-musl' : '';
  return `${host.platform}-${host.arch}${musl}`;
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The package that brought the file, by its manifest, and who may change the file. */
export async function checkPackage({ path }: FoundProgram, { host }: Machine): Promise<Finding> {
  const real = host.realPath(path);
  const { mode } = await stat(real);
  const open =
    host.platform !== 'win32' && (mode & 0o002) !== 0
      ? warn(`Every user may change ${real}.`, `Take that right away: chmod o-w ${real}`)
      : undefined;
  const found = await packageOf(real);
  const none = 'Not from an npm package: put there by an installer or by hand.';
  return joined([open], ok(found === undefined ? none : `${found.name} ${found.version}${found.integrity}`));
}

interface Brought {
  readonly name: string;
  readonly version: string;
  /** What npm compared the package with when it installed it, for a text. */
  readonly integrity: string;
}

async function packageOf(file: string): Promise<Brought | undefined> {
  for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder)) {
    const manifest = await readJson(join(folder, 'package.json'));
    const { name, version } = manifest ?? {};
    if (typeof name !== 'string' || typeof version !== 'string') continue;
    const top = folder.slice(0, -`/${name}`.length);
    const lock = await readJson(join(top, '.package-lock.json'));
    const entries = isRecord(lock?.['packages']) ? lock['packages'] : {};
    const entry = entries[`node_modules/${name}`];
    const integrity = isRecord(entry) && typeof entry['integrity'] === 'string' ? entry['integrity'] : undefined;
    return { name, version, integrity: integrity === undefined ? '.' : `, which npm compared with ${integrity}.` };
  }
  return undefined;
}

async function readJson(path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Runs `--version`, which neither reads nor sends anything. */
export async function checkVersion(program: FoundProgram, machine: Machine): Promise<Finding> {
  const { path } = program;
  const command = isScript(path)
    ? [machine.host.execPath, path]
    : checkProgram(program, machine.env['PATH'], machine.host);
  const run = await machine.run([...command, '--version'], dirname(path));
  const byHand = `Run it by hand: ${path} --version. If that fails too, install it anew: ${newest}`;
  if (run.kind === 'late') return fail(`${path} --version did not end in time, and was ended.`, byHand);
  if (run.kind === 'failed') return fail(`The system could not start ${path} (${run.reason}).`, byHand);
  return toVersionFinding({ ...run, program: path, byHand });
}

interface PrintedVersion {
  readonly program: string;
  readonly output: string;
  readonly code: number | null;
  readonly byHand: string;
}

/** What a CLI printed for `--version`. */
export function toVersionFinding({ program, output, code, byHand }: PrintedVersion): Finding {
  const version = /\b\d+\.\d+\.\d+\b/.exec(output)?.[0];
  if (version === undefined || code !== 0)
    return fail(`${program} --version ended with ${code ?? 'a signal'} and ${version ?? 'no version'}.`, byHand);
  if (compareVersions(version, oldestCli) < 0)
    return fail(`${version} is older than ${oldestCli}, the oldest that is supported.`, `Update the CLI: ${newest}`);
  const difference = compareVersions(version, testedCli);
  if (difference === 0) return ok(`${version}, which the tests run.`);
  return ok(`${version}, supported; ${difference < 0 ? 'older' : 'newer'} than ${testedCli}, which the tests run.`);
}
