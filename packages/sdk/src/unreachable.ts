import type { WarningListener } from '@hexagent/ports';
import type { SessionOptions } from './session-options.ts';

/** Warns of callbacks that these options keep the agent from ever calling. */
export function warnOfUnreachable({ permissions = {}, dialogs }: SessionOptions, warn: WarningListener): void {
  const unreachable = (source: string, why: string): void =>
    warn({
      code: 'HEXAGENT_CALLBACK_UNREACHABLE',
      source: `${source} ${why}`,
      message: `The ${source} is never called: ${why}.`,
    });
  if (permissions.approver !== undefined && permissions.cliMode === 'dontAsk')
    unreachable('approver', 'the mode dontAsk denies what it would ask, questions to a person among it');
  if (dialogs !== undefined && dialogs.kinds.length === 0)
    unreachable('dialog host', 'only kinds of dialogs that `dialogs.kinds` names are shown');
}
