export { commandReader } from './command-reader.ts';
