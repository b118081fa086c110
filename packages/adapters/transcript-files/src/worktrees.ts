import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * The folders of the repository that a directory is in: the one that was cloned, and the other worktrees of it. Read from
 * git's own files, since starting git takes longer than reading all transcripts of a project. Empty outside of one.
 */
export async function worktreesOf(dir: string): Promise<readonly string[]> {
  const git = await gitFolderOf(dir);
  if (git === undefined) return [];
  const names = await readdir(path.join(git, 'worktrees')).catch(() => []);
  const linked = await Promise.all(names.map((name) => lineIn(path.join(git, 'worktrees', name, 'gitdir'))));
  const folders = [git, ...linked.filter((file) => file !== undefined)].map((file) => path.dirname(file));
  return await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
}

/** The `.git` folder that all worktrees of a repository share. */
async function gitFolderOf(dir: string): Promise<string | undefined> {
  for (let folder = dir; ; folder = path.dirname(folder)) {
    const git = path.join(folder, '.git');
    const found = await stat(git).catch(() => undefined);
    if (found?.isDirectory() === true) return git;
    if (found?.isFile() === true) return await commonFolderOf(git, folder);
    if (path.dirname(folder) === folder) return undefined;
  }
}

/** In a worktree, `.git` is a file that leads to its part of the shared folder. */
async function commonFolderOf(file: string, folder: string): Promise<string | undefined> {
  const own = /^gitdir: (.+)$/.exec((await lineIn(file)) ?? '')?.[1];
  if (own === undefined) return undefined;
  const ownFolder = path.resolve(folder, own);
  const common = await lineIn(path.join(ownFolder, 'commondir'));
  return common === undefined ? undefined : path.resolve(ownFolder, common);
}

const lineIn = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => undefined, // missing or not readable
  );
