import { isReadableRule } from '../permission-rule.ts';
import { hooksShape } from './hooks.ts';
import { deniesFirst, object } from './objects.ts';
import { sandboxShape } from './sandbox.ts';
import {
  closing,
  type Fields,
  flag,
  integer,
  lenientToPersons,
  listOfPolicy,
  listOfReadable,
  listOfSome,
  type Shape,
  text,
  unreadable,
  oneOf,
} from './shape.ts';

const disable: Shape = closing(oneOf('disable'), 'disable', { unless: [null, false] });
const rules = (name: 'allow' | 'deny' | 'ask'): Shape =>
  listOfReadable((rule) => (isReadableRule(rule, name) ? rule : unreadable));
const modes = oneOf('acceptEdits', 'auto', 'bypassPermissions', 'default', 'dontAsk', 'plan');
const mode: Shape = (value, author) => (value === 'manual' ? 'default' : modes(value, author));

/** Paths of which a wrong one becomes the empty path, which is not a file. */
const paths: Shape = (value) =>
  Array.isArray(value) ? value.map((each: unknown) => (typeof each === 'string' ? each : '')) : unreadable;

const permissions = deniesFirst(
  object(
    {
      allow: rules('allow'),
      deny: rules('deny'),
      ask: rules('ask'),
      defaultMode: closing(mode, 'default'),
      disableBypassPermissionsMode: disable,
      disableAutoMode: disable,
      denyInsteadOfPrompting: closing(flag, true),
      additionalDirectories: listOfSome(text),
      workingDirectoriesAsGiven: lenientToPersons(paths),
      blockReadsOutsideWorkingDirectories: closing(flag, true),
      blockWritesOutsideWorkingDirectories: closing(flag, true),
      blockReadsExemptPaths: lenientToPersons(paths),
    },
    { keepsOthers: true, fieldByField: true },
  ),
  { denying: ['deny', 'ask'], allowing: ['allow', 'additionalDirectories'] },
);

export const toolShapes: Fields = {
  permissions: closing(permissions, {
    disableBypassPermissionsMode: 'disable',
    blockReadsOutsideWorkingDirectories: true,
    blockWritesOutsideWorkingDirectories: true,
    disableAutoMode: 'disable',
    denyInsteadOfPrompting: true,
  }),
  autoMode: closing(
    deniesFirst(
      object(
        {
          allow: listOfSome(text),
          soft_deny: listOfSome(text),
          hard_deny: listOfSome(text),
          environment: listOfSome(text),
          classifyAllShell: closing(flag, true),
        },
        { fieldByField: true },
      ),
      { denying: ['soft_deny', 'hard_deny'], allowing: ['allow', 'environment'] },
    ),
    { classifyAllShell: true },
  ),
  disableAutoMode: disable,
  sandbox: sandboxShape,
  defaultShell: oneOf('bash', 'powershell'),
  bashOutputMaxChars: lenientToPersons(integer({ from: 1 })),
  taskOutputMaxChars: lenientToPersons(integer({ from: 1 })),
  hooks: hooksShape,
  allowedHttpHookUrls: closing(listOfPolicy(text), [], { unless: [] }),
  httpHookAllowedEnvVars: closing(listOfPolicy(text), [], { unless: [] }),
};
