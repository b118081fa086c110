import { modify, validate } from './checked-inputs.ts';
import { allow, deny } from './fixed-answers.ts';
import { marked } from './ready-made-marks.ts';
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
} = {
  allow: /* @__PURE__ */ maker('allow', allow),
  deny: /* @__PURE__ */ maker('deny', deny),
  modify: /* @__PURE__ */ maker('modify', modify),
  validate: /* @__PURE__ */ maker('validate', validate),
  log: /* @__PURE__ */ maker('log', log),
  onlyTools: /* @__PURE__ */ maker('onlyTools', onlyTools),
  withoutTools: /* @__PURE__ */ maker('withoutTools', withoutTools),
  audit: /* @__PURE__ */ maker('audit', audit),
};

/** Registered without being called, it would fail for every call, which lets most of them run. */
function maker<Make extends object>(name: string, make: Make): Make {
  return marked(make, { name: `hooks.${name}`, isMaker: true });
}
