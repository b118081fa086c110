import { isRemoteCommand } from '@hexagent/remote-transport';
import type { CheckedOptions } from '../session-options.ts';
import { refuseRepeatedNames } from './skills.ts';

/** @throws {TypeError} for options that exclude each other: the agent would ignore one of them. */
export function refuseCombinations(options: CheckedOptions): void {
  const { resume, fork, continue: goOn, sessionId, permissions, interruptedTurn, onAsk, dialogKinds } = options;
  const { store, persist, output, executable, cwd, skills = [], commands = [] } = options;
  refuseRepeatedNames([...skills, ...commands], 'The list of `skills` and `commands`');
  if (resume !== undefined && goOn === true)
    throw new TypeError(
      '`resume` cannot be combined with `continue`: one names the session to go on with, the other takes the newest. Leave one out.',
    );
  const goesOn = resume !== undefined || goOn === true;
  if (fork === true && !goesOn)
    throw new TypeError('`fork` needs a session to copy. Pass its id as `resume`, or `continue: true` for the newest.');
  if (sessionId !== undefined && goesOn && fork !== true)
    throw new TypeError(
      '`sessionId` cannot be combined with `resume` or `continue`, which keep the id of the old session. Add `fork: true`, or leave `sessionId` out.',
    );
  if (interruptedTurn === 'continue' && !goesOn)
    throw new TypeError(
      '`interruptedTurn` needs a session to go on with. Pass its id as `resume`, or `continue: true` for the newest.',
    );
  if (output !== undefined && permissions?.mode === 'deny')
    throw new TypeError(
      '`output` cannot be combined with `permissions.mode: "deny"`: the model gives the output by a tool, and the mode denies each call.',
    );
  if (store !== undefined && persist === false)
    throw new TypeError('`store` cannot be combined with `persist: false`: it is given what the agent keeps.');
  if (store !== undefined && options.checkpoints === true)
    throw new TypeError('`checkpoints` cannot be combined with `store`: the copies of files are not in the store.');
  if (goOn === true && store !== undefined && store.listSessions === undefined)
    throw new TypeError('`continue` needs a `store` with listSessions(), to find the newest session.');
  refuseRelativeFolder({ executable, cwd });
  if (permissions?.expiresAfterMs !== undefined && onAsk === undefined)
    throw new TypeError('`permissions.expiresAfterMs` needs `onAsk`. Without it, nothing waits for an answer.');
  if (dialogKinds !== undefined && onAsk === undefined)
    throw new TypeError(
      '`dialogKinds` needs `onAsk`, which is passed the dialogs. Pass it, or leave `dialogKinds` out.',
    );
}

/** @throws {TypeError} for a folder at a place that counts from where this program works. */
export function refuseRelativeFolder({ executable, cwd }: Pick<CheckedOptions, 'executable' | 'cwd'>): void {
  if (isRemoteCommand(executable) && cwd?.startsWith('/') === false)
    throw new TypeError(
      '`cwd` must be an absolute path where `executable` is a place: it is a folder there, and not below that of this program.',
    );
}
