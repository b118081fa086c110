import { createHash } from 'node:crypto';
import { lstatSync, realpathSync, statSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { errorText } from '@hexagent/checks';
import { SdkError } from '@hexagent/ports';

/** Facts that distinguish a program from others on its machine, and the place for the state of programs. */
export interface ProgramFacts {
  readonly platform: NodeJS.Platform;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The path of the main file; empty where there is none, as in a shell of Node. */
  readonly main: string;
  readonly cwd: string;
}

/**
 * The folder of a program for one purpose. Programs with another main file or another working directory have another one;
 * processes of the same program share it.
 */
export function stateFolderOf(facts: ProgramFacts, purpose: string): string {
  const { main, cwd, platform } = facts;
  const { basename, extname, join } = platform === 'win32' ? path.win32 : path.posix;
  const hash = createHash('sha256')
    .update(JSON.stringify([main, cwd]))
    .digest('hex')
    .slice(0, 16);
  // For a person who reads the folder above; the hash alone distinguishes programs.
  const names = [basename(cwd), basename(main, extname(main))].map((name) => name.replaceAll(/[^\w.-]+/g, '_'));
  const label = names.filter((name) => name !== '').join('-');
  return join(sharedFolder(facts), `${label.slice(0, 60)}-${hash}`, purpose);
}

/** The folder of all programs of a user. */
function sharedFolder(facts: Place): string {
  const { join } = facts.platform === 'win32' ? path.win32 : path.posix;
  return join(stateHome(facts), 'hexagent');
}

type Place = Pick<ProgramFacts, 'platform' | 'variables' | 'home'>;

/** A path that is not absolute is left out, as the specification of these variables asks for. */
function namedStateHome({ platform, variables }: Omit<Place, 'home'>): string | undefined {
  const isWindows = platform === 'win32';
  const named = variables[isWindows ? 'LOCALAPPDATA' : 'XDG_STATE_HOME'] ?? '';
  return (isWindows ? path.win32 : path.posix).isAbsolute(named) ? named : undefined;
}

/** @throws {Error} for a home that is not an absolute path. */
function stateHome({ platform, variables, home }: Place): string {
  const { isAbsolute, join } = platform === 'win32' ? path.win32 : path.posix;
  const named = namedStateHome({ platform, variables });
  if (named !== undefined) return named;
  // Below the working directory the records would be the agent's to read, and elsewhere after each `chdir()`.
  if (!isAbsolute(home)) throw new Error(`the home of the user, ${JSON.stringify(home)}, is no absolute path.`);
  return platform === 'win32' ? join(home, 'AppData', 'Local') : join(home, '.local', 'state');
}

/**
 * The folder of this program.
 * @throws {SdkError} `STORE_FAILED` where the user has no such folder, or other users may write to it.
 */
export function ownStateFolder(purpose: string): string {
  try {
    const { platform, env: variables, argv } = process;
    const home = namedStateHome({ platform, variables }) === undefined ? homedir() : '';
    const facts = { platform, variables, home, main: realPath(argv[1] ?? ''), cwd: process.cwd() };
    const folder = stateFolderOf(facts, purpose);
    checkOwned(sharedFolder(facts));
    return folder;
  } catch (cause) {
    throw new SdkError('STORE_FAILED', `There is no folder for the records of this program: ${errorText(cause)}`, {
      cause,
    });
  }
}

/** A program that is started by a link is the same program. */
function realPath(file: string): string {
  try {
    return file === '' ? '' : realpathSync(file);
  } catch {
    return file;
  }
}

/**
 * Other users who may write there could read the records, make agents run messages, and answer their questions. A folder that
 * does not exist yet is created for its owner alone.
 */
function checkOwned(folder: string): void {
  const user = process.geteuid?.();
  // The owner of a link counts, too: another user may have made it in a folder for all.
  for (const read of [lstatSync, statSync]) {
    const found = attemptStat(read, folder);
    if (user === undefined || found === undefined) return;
    if (found.uid !== user)
      throw new Error(`${folder} belongs to user ${found.uid}, and this process runs as user ${user}.`);
    // A link has no permissions.
    if (!found.isSymbolicLink() && (found.mode & 0o022) !== 0)
      throw new Error(
        `other users can write to ${folder} (its mode is ${(found.mode & 0o777).toString(8)}). Take that from them.`,
      );
  }
}

/** `undefined` where nothing is there, or nothing can be: that is reported by the first use of a store. */
function attemptStat(read: (path: string) => Stats, folder: string): Stats | undefined {
  try {
    return read(folder);
  } catch {
    return undefined;
  }
}
