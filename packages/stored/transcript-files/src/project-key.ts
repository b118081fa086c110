import { realpathSync } from 'node:fs';
import { projectFolder } from './project-folder.ts';

/** Whose sessions an agent works on that works in this folder, in the spelling of the agent. Default: that of the program. */
export async function projectKeyOf(cwd: string = process.cwd()): Promise<string> {
  try {
    // The agent takes the path that links lead to.
    return projectFolder(realpathSync.native(cwd));
  } catch {
    return projectFolder(cwd); // a folder that is elsewhere, or missing, cannot be resolved
  }
}
