export { HookService } from './hook-service.ts';
export { hooksFeature } from './hooks-feature.ts';
