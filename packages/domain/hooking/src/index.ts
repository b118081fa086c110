export { HookService } from './hook-service.ts';
