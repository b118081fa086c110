import { dirname, isAbsolute, join } from 'node:path';
import { SdkError } from '@hexagent/ports';
import { checkFolder } from '@hexagent/processes';
import type { Machine } from './machine.ts';
import { fail, ok, warn, type Finding } from './report.ts';

const megabyte = 1024 * 1024;

/** The home as the CLI finds it. */
const homeOf = ({ env, host, systemHome }: Machine): string | undefined =>
  env['HOME'] || (host.platform === 'win32' ? env['USERPROFILE'] : undefined) || systemHome;

/** The CLI's own folder; `undefined` where neither a variable nor a home names one. */
export function configDirOf(machine: Machine): string | undefined {
  const home = homeOf(machine);
  return machine.env['CLAUDE_CONFIG_DIR'] || (home === undefined ? undefined : join(home, '.claude'));
}

export async function checkHome(machine: Machine): Promise<Finding> {
  const home = homeOf(machine);
  const remedy = 'Set HOME to a folder that this user may write to, or CLAUDE_CONFIG_DIR to one for the CLI alone.';
  if (home === undefined) return fail('No variable and no entry of the system names a home.', remedy);
  const problem = await problemOf(home, machine);
  // The tools of the agent miss their home; the CLI itself does not.
  const isNeeded = !machine.env['CLAUDE_CONFIG_DIR'];
  if (problem !== undefined) return (isNeeded ? fail : warn)(`${home} ${problem}.`, remedy);
  if (machine.env['HOME'] || machine.host.platform === 'win32') return ok(home);
  return warn(`HOME is not set; the system names ${home}.`, 'Set HOME: tools that the agent runs expect it.');
}

export async function checkConfig(machine: Machine): Promise<Finding> {
  const folder = configDirOf(machine);
  const remedy = 'Make it a folder that this user may write to, or let CLAUDE_CONFIG_DIR name another one.';
  if (folder === undefined) return fail('There is no home to keep it in.', 'Set CLAUDE_CONFIG_DIR, or HOME.');
  if (!isAbsolute(folder))
    return warn(
      `CLAUDE_CONFIG_DIR is the relative path ${folder}: another folder for each cwd.`,
      'Set an absolute path.',
    );
  const problem = await problemOf(folder, machine);
  if (problem !== undefined) return fail(`${folder} ${problem}.`, remedy);
  return ok(machine.host.inspect(folder) === 'folder' ? folder : `${folder}, which the CLI will make.`);
}

export async function checkTemp(machine: Machine): Promise<Finding> {
  const { env, host } = machine;
  const named = ['TMPDIR', 'TMP', 'TEMP'].find((name) => env[name]);
  const folder = (named && env[named]) ?? (host.platform === 'win32' ? 'C:\\Windows\\Temp' : '/tmp');
  const remedy = 'Make it a folder that this user may write to, or let TMPDIR name another one.';
  if (host.inspect(folder) !== 'folder') return fail(`${folder} is not there, or not a folder.`, remedy);
  const code = await machine.whyNotWritable(folder);
  if (code !== undefined) return fail(`${folder} may not be written to (${code}).`, remedy);
  const room = await machine.room(folder);
  if (room === undefined) return ok(folder);
  const left = `${folder} has ${Math.floor(room.bytes / megabyte)} MB and ${room.files} files left.`;
  const makeRoom = 'Make room there, or let TMPDIR name a folder on another disk.';
  if (room.bytes < megabyte || room.files < 1) return fail(left, makeRoom);
  if (room.bytes < 100 * megabyte) return warn(left, makeRoom);
  return ok(`${folder}, with ${Math.floor(room.bytes / megabyte)} MB left.`);
}

export function checkCwd({ cwd }: Machine): Finding {
  try {
    checkFolder(cwd);
    return ok(cwd ?? process.cwd());
  } catch (error) {
    if (!SdkError.is(error)) throw error;
    return fail(error.message, error.remedy);
  }
}

/** Why files cannot be made in a folder, or a missing one not be made. */
async function problemOf(folder: string, machine: Machine): Promise<string | undefined> {
  const kind = machine.host.inspect(folder);
  if (kind === 'file' || kind === 'other') return 'is not a folder';
  if (kind === 'folder') {
    const code = await machine.whyNotWritable(folder);
    return code === undefined ? undefined : `may not be written to (${code})`;
  }
  if (kind.code === 'ENOTDIR') return 'lies below a file';
  if (kind.code !== 'ENOENT') return `cannot be read (${kind.code})`;
  const above = dirname(folder);
  const problem = above === folder ? 'is missing' : await problemOf(above, machine);
  return problem === undefined ? undefined : `is missing, and ${above} ${problem}`;
}
