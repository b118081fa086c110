import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * The folders of the repository that a directory is in: the one that was cloned, and the other worktrees of it. Read from
 * git's own files, since starting git takes longer than reading all transcripts of a project. Empty outside of one.
 */
export function worktreesOf(dir: string): readonly string[] {
  const git = gitFolderOf(dir);
  if (git === undefined) return [];
  const worktrees = path.join(git, 'worktrees');
  const names = ifReadable(() => readdirSync(worktrees)) ?? [];
  const linked = names.map((name) => lineIn(path.join(worktrees, name, 'gitdir')));
  const folders = [git, ...linked.filter((file) => file !== undefined)].map((file) => path.dirname(file));
  return folders.map((folder) => ifReadable(() => realpathSync.native(folder)) ?? folder);
}

/** The `.git` folder that all worktrees of a repository share. */
function gitFolderOf(dir: string): string | undefined {
  for (let folder = dir; ; folder = path.dirname(folder)) {
    const git = path.join(folder, '.git');
    const found = ifReadable(() => statSync(git, { throwIfNoEntry: false }));
    if (found?.isDirectory() === true) return git;
    if (found?.isFile() === true) return commonFolderOf(git, folder);
    if (path.dirname(folder) === folder) return undefined;
  }
}

/** In a worktree, `.git` is a file that leads to its part of the shared folder. */
function commonFolderOf(file: string, folder: string): string | undefined {
  const own = /^gitdir: (.+)$/.exec(lineIn(file) ?? '')?.[1];
  if (own === undefined) return undefined;
  const ownFolder = path.resolve(folder, own);
  const common = lineIn(path.join(ownFolder, 'commondir'));
  return common === undefined ? undefined : path.resolve(ownFolder, common);
}

const lineIn = (file: string): string | undefined => ifReadable(() => readFileSync(file, 'utf8').trim());

/** What is missing, or kept from this user, leads to no worktree. */
function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
