import { callable, type Checks, type Elsewhere, having, record } from '@hexagent/checks';
import type { Parts } from '../parts.ts';
import { withCheckedResults } from './results.ts';

/** The check of each part. A new part does not compile without its row. */
const partChecks: Checks<Parts> = {
  transport: having('connect'),
  protocol: having('open'),
  parser: having('parse', 'stringify'),
  launcher: callable(),
  commands: having('read'),
  clock: having('now', 'after'),
  ids: having('request', 'uuid'),
  gate: callable(),
  dispatcher: callable(),
  features: callable(),
  conversations: callable(),
  observer: having('observe'),
  onWarning: callable(),
};

/**
 * @param elsewhere what the names of another table are called, for the message where one of them is passed here
 * @throws {TypeError} for the first part that is unknown or invalid, naming it.
 */
export function checkParts(value: unknown, elsewhere: Elsewhere = {}): Parts {
  if (value === undefined) return {};
  return withCheckedResults(record<Parts>(partChecks, { elsewhere, called: 'parts' })(value, ''));
}
