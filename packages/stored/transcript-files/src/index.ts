export { projectFolder, projectKeyOf } from './project-folder.ts';
export { TranscriptFolder } from './transcript-folder.ts';
export type { TranscriptFolderOptions } from './transcript-folder.ts';
