import { existsSync } from 'node:fs';

/** The folder that this process works in, or why no path leads to it. */
export type CurrentFolder = { readonly path: string } | { readonly problem: string };

/** Asked only where a relative path or an error needs it: a process can work in a folder that no path leads to. */
export function currentFolder(): CurrentFolder {
  let path: string;
  try {
    path = process.cwd();
  } catch {
    return { problem: `${namedByShell()}was deleted, or may not be read` };
  }
  // Node remembers the path, also of a folder that was deleted since.
  if (existsSync(path)) return { path };
  // Node writes this character for bytes that are not UTF-8, and then the path leads nowhere.
  const problem = path.includes('\uFFFD') ? 'has a name that is not UTF-8' : 'was deleted, or may not be read';
  return { problem: `(${path}) ${problem}` };
}

/** Where the system does not name it. A `PWD` that leads somewhere is that of another folder, which a parent worked in. */
function namedByShell(): string {
  const path = process.env['PWD'];
  return path === undefined || existsSync(path) ? '' : `(${path}) `;
}
