import { realpathSync } from 'node:fs';

/** Longer names end in a number that is made of the whole path. */
const longestName = 200;

/** The name of the folder in which the CLI stores the transcripts of this directory. */
export function projectFolder(path: string): string {
  const name = path.replace(/[^A-Za-z0-9]/g, '-');
  return name.length <= longestName ? name : `${name.slice(0, longestName)}-${hashOf(path)}`;
}

function hashOf(text: string): string {
  let hash = 0;
  // Each UTF-16 unit counts, as in the name.
  for (let index = 0; index < text.length; index += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  return Math.abs(hash).toString(36);
}

/** Whose sessions an agent works on that works in this folder, in the spelling of the agent. Default: that of the program. */
export async function projectKeyOf(cwd: string = process.cwd()): Promise<string> {
  try {
    // The agent takes the path that links lead to.
    return projectFolder(realpathSync.native(cwd));
  } catch {
    return projectFolder(cwd); // a folder that is elsewhere, or missing, cannot be resolved
  }
}
