export { wireParser } from './wire-parser.ts';
