import { constants, existsSync, readFileSync } from 'node:fs';
import { cp, lstat, mkdir, mkdtemp, readdir, readlink, realpath, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { errorText } from '@hexagent/checks';

/** A copy of a project in the folder for temporary files, with what it has installed. */
export interface ProjectCopy extends AsyncDisposable {
  /** Where the same folder of the project lies in the copy; what lies outside of the project stays. */
  at(path: string): string;
  /** The folders that are a package of this name, each once, however the package manager has laid them out. */
  installed(name: string): Promise<readonly string[]>;
}

/** The folder whose copy has all that is installed for `folder`: a workspace as a whole. */
export function projectRootOf(folder: string): string | undefined {
  let root: string | undefined;
  for (const at of ancestorsOf(folder)) {
    if (root === undefined && existsSync(join(at, 'package.json'))) root = at;
    if (isWorkspace(at)) return at;
  }
  return root;
}

function ancestorsOf(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...ancestorsOf(above)];
}

function isWorkspace(folder: string): boolean {
  if (existsSync(join(folder, 'pnpm-workspace.yaml'))) return true;
  try {
    return Object.hasOwn(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')), 'workspaces');
  } catch {
    return false; // There is no such file here, or none that a package manager would read.
  }
}

/** @throws {Error} that names the project, when it cannot be copied; the reason of the signal when that aborts. */
export async function copyProject(root: string, signal: AbortSignal): Promise<ProjectCopy> {
  const folder = await realpath(tmpdir()).catch((cause: unknown) => {
    throw new Error(`Set TMPDIR to a folder: ${tmpdir()} cannot be used. ${errorText(cause)}`, { cause });
  });
  if (isWithin(root, folder))
    throw new Error(
      `${root} has the folder for temporary files in it. Set TMPDIR to a folder outside of it, such as a new one.`,
    );
  const temp = await mkdtemp(join(folder, 'hexagent-try-'));
  const copy = join(temp, 'project');
  const remove = (): Promise<void> => rm(temp, { recursive: true, force: true, maxRetries: 3 });
  try {
    await copyTree(root, { copy, signal });
  } catch (cause) {
    await remove();
    signal.throwIfAborted();
    throw new Error(`${root} could not be copied to ${folder}: ${errorText(cause)}`, { cause });
  }
  return {
    at: (path) => movedInto(copy, { root, path }),
    installed: (name) => packagesIn(copy, name),
    [Symbol.asyncDispose]: remove,
  };
}

/** Links keep leading into the project, in the copy, and those that lead out of it keep their target. */
async function copyTree(
  root: string,
  { copy, signal }: { readonly copy: string; readonly signal: AbortSignal },
): Promise<void> {
  await cp(root, copy, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    preserveTimestamps: true,
    async filter(source, target) {
      signal.throwIfAborted();
      const kind = await lstat(source);
      if (kind.isSymbolicLink()) await copyLink({ source, target, root, copy });
      // Sockets and pipes cannot be copied, and no test finds the ones of another process.
      return kind.isFile() || kind.isDirectory();
    },
  });
}

interface Link {
  readonly source: string;
  readonly target: string;
  readonly root: string;
  readonly copy: string;
}

async function copyLink({ source, target, root, copy }: Link): Promise<void> {
  const written = await readlink(source);
  const leadsTo = resolve(dirname(source), written);
  const moved = movedInto(copy, { root, path: leadsTo });
  const isKept = moved !== leadsTo && !isAbsolute(written);
  const isFolder = await stat(source).then(
    (kind) => kind.isDirectory(),
    () => false, // It leads nowhere, as some do in a project at rest.
  );
  await mkdir(dirname(target), { recursive: true });
  await symlink(isKept ? written : moved, target, isFolder ? 'junction' : 'file');
}

function movedInto(copy: string, { root, path }: { readonly root: string; readonly path: string }): string {
  return isWithin(root, path) ? join(copy, relative(root, path)) : path;
}

/** Looks into each `node_modules`, that of pnpm's store included. A link counts as the folder it leads to, if that was copied too. */
async function packagesIn(folder: string, name: string): Promise<readonly string[]> {
  const found = new Set<string>();
  const visit = async (at: string): Promise<void> => {
    const installed = join(at, 'node_modules', name);
    const named = await realpath(installed).catch(() => undefined);
    if (named !== undefined) found.add(isWithin(folder, named) ? named : installed);
    const entries = await readdir(at, { withFileTypes: true });
    for (const entry of entries) if (entry.isDirectory()) await visit(join(at, entry.name));
  };
  await visit(folder);
  return [...found];
}

function isWithin(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return !inside.startsWith('..') && !isAbsolute(inside);
}
