import { modify, validate } from './checked-inputs.ts';
import { allow, deny } from './fixed-answers.ts';
import { audit, log } from './sinks.ts';
import { onlyTools, withoutTools } from './tool-lists.ts';

/**
 * Ready-made hooks for `createHooks()`: hooks (`allow`, `deny`, `modify`, `validate`, `log`) and whole sets (`onlyTools`,
 * `withoutTools`, `audit`). A plain object, since a bundler would need code at import for a namespace.
 */
export const hooks: {
  readonly allow: typeof allow;
  readonly deny: typeof deny;
  readonly modify: typeof modify;
  readonly validate: typeof validate;
  readonly log: typeof log;
  readonly onlyTools: typeof onlyTools;
  readonly withoutTools: typeof withoutTools;
  readonly audit: typeof audit;
} = { allow, deny, modify, validate, log, onlyTools, withoutTools, audit };
