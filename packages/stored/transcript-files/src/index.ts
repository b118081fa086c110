export { projectFolder } from './project-folder.ts';
export { projectKeyOf } from './project-key.ts';
export { TranscriptFolder } from './transcript-folder.ts';
export type { TranscriptFolderOptions } from './transcript-folder.ts';
