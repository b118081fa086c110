import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** What distinguishes a program from others on its machine, and where its user keeps the state of programs. */
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
  return join(stateHome(facts), 'hexagent', `${label.slice(0, 60)}-${hash}`, purpose);
}

/** A path that is not absolute is left out, as the specification of these variables asks for. */
function stateHome({ platform, variables, home }: ProgramFacts): string {
  const { isAbsolute, join } = platform === 'win32' ? path.win32 : path.posix;
  const named = variables[platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_STATE_HOME'] ?? '';
  if (isAbsolute(named)) return named;
  return platform === 'win32' ? join(home, 'AppData', 'Local') : join(home, '.local', 'state');
}

/** The folder of this program. */
export function ownStateFolder(purpose: string): string {
  const { platform, env: variables, argv } = process;
  return stateFolderOf(
    { platform, variables, home: homedir(), main: realPath(argv[1] ?? ''), cwd: process.cwd() },
    purpose,
  );
}

/** A program that is started by a link is the same program. */
function realPath(file: string): string {
  try {
    return file === '' ? '' : realpathSync(file);
  } catch {
    return file;
  }
}
