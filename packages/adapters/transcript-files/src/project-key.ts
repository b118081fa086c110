import { realpath } from 'node:fs/promises';
import { projectFolder } from './project-folder.ts';

/** Whose sessions an agent works on that works in this folder, in the spelling of the agent. Default: that of the program. */
export async function projectKeyOf(cwd: string = process.cwd()): Promise<string> {
  // The agent takes the path that links lead to. Of a folder that is elsewhere, or missing, only the name is known.
  return projectFolder(await realpath(cwd).catch(() => cwd));
}
