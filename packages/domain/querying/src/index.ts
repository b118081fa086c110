export type { Answer } from './answer.ts';
export { QueryService } from './query-service.ts';
export type { AskOptions } from './query-service.ts';
