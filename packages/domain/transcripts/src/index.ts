export { headOf } from './head-of.ts';
export { transcriptOf } from './transcript-of.ts';
