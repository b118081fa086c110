export type { Answer } from './answer.ts';
export { QueryService } from './query-service.ts';
