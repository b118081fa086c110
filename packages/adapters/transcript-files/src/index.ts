export { projectFolder } from './project-folder.ts';
