import { allowListFor } from './allow-list.ts';

/** What an agent may see of the program's environment. */
export interface Environment {
  /**
   * - `allowList` (default): what the CLI documents and what systems and networks need; nothing else.
   * - `inherit`: everything.
   * - `exact`: only what `set` names.
   */
  readonly policy?: 'allowList' | 'inherit' | 'exact' | undefined;
  /** Set over what the policy lets through; `undefined` takes a variable away. */
  readonly set?: Readonly<Record<string, string | undefined>> | undefined;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The environment an agent is started with. */
export function environmentOf(
  { policy = 'allowList', set = {} }: Environment = {},
  own: Variables = ownEnvironment(),
): Record<string, string | undefined> {
  if (policy === 'exact') return { ...set };
  if (policy === 'inherit') return { ...own, ...set };
  const isAllowed = allowListFor({ ...own, ...set });
  return { ...Object.fromEntries(Object.entries(own).filter(([name]) => isAllowed(name))), ...set };
}

/** The program's own variables, without the one by which an agent tells its tools that they run inside it. */
export function ownEnvironment(): Record<string, string | undefined> {
  const { CLAUDECODE: _, ...own } = process.env;
  return own;
}
