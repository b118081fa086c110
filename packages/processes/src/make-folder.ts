import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasCode } from '@hexagent/checks';

/**
 * Makes a folder and those above it, for their owner alone; another process may make the same ones meanwhile. `mkdirSync` with
 * `recursive` tries for ever where the system reports that a parent is missing although it is there, as below `/proc`.
 */
export function makeFolder(path: string): void {
  try {
    makeOne(path);
  } catch (error) {
    const parent = dirname(path);
    if (!hasCode(error, 'ENOENT') || parent === path) throw error;
    makeFolder(parent);
    makeOne(path);
  }
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // A folder that cannot be made, as on a disk that is read-only, may be there.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // What is wrong with it is in the error of `mkdirSync`.
  }
}
