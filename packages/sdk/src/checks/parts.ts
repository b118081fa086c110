import type { Parts } from '../parts.ts';
import { callable, having, record, type Checks } from './check.ts';
import { optionChecks } from './options.ts';

/** What each part must be. A new part does not compile without its row. */
const partChecks: Checks<Parts> = {
  transport: having('connect'),
  protocol: having('open'),
  parser: having('parse', 'stringify'),
  launcher: callable(),
  clock: having('now', 'after'),
  ids: having('request', 'uuid'),
  observer: having('observe'),
  onWarning: callable(),
};

const parts = record<Parts>(partChecks, {
  elsewhere: Object.fromEntries(Object.keys(optionChecks).map((name) => [name, `openSession({ ${name} })`])),
  called: 'parts',
});

/** @throws {TypeError} for the first part that is not known or cannot be meant, naming it. */
export function checkParts(value: unknown): Parts {
  return value === undefined ? {} : parts(value, '');
}
