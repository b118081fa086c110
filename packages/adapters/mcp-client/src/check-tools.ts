import { checkDelay, isPlainObject } from '@hexagent/checks';
import type { Fields } from './json-rpc.ts';

/** What narrows an agent must be understood: a list that is none would leave every tool. */
export function checkTools(tools: unknown, server: string): void {
  if (!isPlainObject(tools))
    throw new TypeError(`external(): tools of ${server} must be an object with only, without, rename or timeoutMs.`);
  checkNames(tools, ['only', 'without', 'rename', 'timeoutMs']);
  const { only, without, rename, timeoutMs } = tools;
  for (const [option, names] of Object.entries({ only, without }))
    if (names !== undefined && !isStrings(names))
      throw new TypeError(`external(): tools.${option} of ${server} must be a list of names.`);
  if (rename !== undefined) checkRename(rename, server);
  if (!isPlainObject(timeoutMs)) checkDelay('tools.timeoutMs', timeoutMs);
  else for (const [tool, delay] of Object.entries(timeoutMs)) checkDelay(`tools.timeoutMs.${tool}`, delay);
}

/** The model's service takes no other names. */
const possibleName = /^[\w-]{1,128}$/;

function checkRename(rename: unknown, server: string): void {
  if (!isPlainObject(rename)) throw new TypeError(`external(): tools.rename of ${server} must be an object of names.`);
  const shown = Object.values(rename);
  for (const name of shown)
    if (typeof name !== 'string' || !possibleName.test(name))
      throw new TypeError(
        `external(): tools.rename of ${server} gives a name that is none: letters, digits, _ and - can be used.`,
      );
  const twice = shown.map(String).find((name, place, names) => names.indexOf(name) !== place);
  if (twice !== undefined) throw new TypeError(`external(): tools.rename of ${server} gives the name ${twice} twice.`);
}

/** A misspelt option would be ignored. */
export function checkNames(options: Fields, known: readonly string[]): void {
  const unknown = Reflect.ownKeys(options).find((key) => !known.some((name) => name === key));
  if (unknown === undefined) return;
  const [near] = known.filter((name) => name.startsWith(String(unknown)) || String(unknown).startsWith(name));
  const remedy = near === undefined ? `It has ${known.join(', ')}.` : `Did you mean ${near}?`;
  throw new TypeError(`external(): ${String(unknown).slice(0, 40)} is not known. ${remedy}`);
}

export const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
