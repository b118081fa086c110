import { lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasCode, isRecord } from '@hexagent/checks';

/** A program of this user whose inspector is on. */
export interface InspectedProgram {
  readonly pid: number;
  readonly name: string;
  /** The address of its page, with the token. */
  readonly url: string;
}

/** One for each user: no other one may read the addresses. */
const folderOfUser = (): string => join(tmpdir(), `hexagent-inspectors-${process.getuid?.() ?? 'user'}`);

/**
 * Lists this program for `inspectedPrograms()`, until it exits or what is returned is called. Without a folder that is this user's
 * alone it is not listed: its address is printed all the same.
 */
export function announce(program: InspectedProgram): () => void {
  const folder = folderOfUser();
  const file = join(folder, `${program.pid}.json`);
  let isListed = false;
  const withdraw = (): void => {
    process.off('exit', withdraw);
    if (!isListed) return;
    isListed = false;
    attempt(() => rmSync(file, { force: true }));
    attempt(() => rmdirSync(folder)); // where no other program is listed
  };
  attempt(() => {
    makeOwnFolder(folder);
    writeFileSync(file, JSON.stringify(program), { mode: 0o600 });
    isListed = true;
    process.on('exit', withdraw);
  });
  return withdraw;
}

/** The programs of this user whose inspector is on, the latest last. What a program that was killed has left is removed. */
export function inspectedPrograms(): readonly InspectedProgram[] {
  const folder = folderOfUser();
  let files: readonly string[] = [];
  attempt(() => {
    checkOwn(folder);
    files = readdirSync(folder);
  });
  const programs = files.flatMap((name) => readProgram(join(folder, name)) ?? []);
  return programs.filter((program) => {
    const isAlive = isRunning(program.pid);
    if (!isAlive) attempt(() => rmSync(join(folder, `${program.pid}.json`), { force: true }));
    return isAlive;
  });
}

function readProgram(file: string): InspectedProgram | undefined {
  let program: unknown;
  attempt(() => (program = JSON.parse(readFileSync(file, 'utf8'))));
  if (!isRecord(program)) return undefined;
  const { pid, name, url } = program;
  return typeof pid === 'number' && typeof name === 'string' && typeof url === 'string'
    ? { pid, name, url }
    : undefined;
}

function makeOwnFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  checkOwn(folder);
}

/** In a folder for temporary files, others may have been first. */
function checkOwn(folder: string): void {
  const stats = lstatSync(folder);
  const isForeign = process.getuid !== undefined && (stats.uid !== process.getuid() || (stats.mode & 0o077) !== 0);
  if (!stats.isDirectory() || isForeign) throw new Error(`${folder} is not a folder of this user alone.`);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasCode(error, 'ESRCH');
  }
}

/** A list of addresses is a convenience: no program fails for it. */
function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // As if it were not there.
  }
}
