import { allowListFor } from './allow-list.ts';
import { ownEnvironment } from './own-environment.ts';

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

/** Sets how often the CLI tries again. */
export const retriesVariable = 'CLAUDE_CODE_MAX_RETRIES';

/** Without the second variable, the CLI removes calls that were cut off from the history that the model reads. */
const continuing = { CLAUDE_CODE_RESUME_INTERRUPTED_TURN: '1', CLAUDE_CODE_RESUME_SHOWS_CUT_OFF_CALLS: '1' };

interface EnvironmentOptions {
  readonly env?: Environment | undefined;
  readonly maxRetries?: number | undefined;
  readonly interruptedTurn?: 'leave' | 'continue' | undefined;
}

/** The environment an agent is started with. */
export function environmentOf(
  { env = {}, maxRetries, interruptedTurn }: EnvironmentOptions,
  own: Variables = ownEnvironment(),
): Record<string, string | undefined> {
  const { policy = 'allowList', set = {} } = env;
  const retries = maxRetries === undefined ? {} : { [retriesVariable]: String(maxRetries) };
  const goesOn = interruptedTurn === 'continue' ? continuing : {};
  return { ...inheritedOf(policy, own, set), ...set, ...retries, ...goesOn };
}

function inheritedOf(policy: NonNullable<Environment['policy']>, own: Variables, set: Variables): Variables {
  if (policy === 'exact') return {};
  if (policy === 'inherit') return own;
  const isAllowed = allowListFor({ ...own, ...set });
  return Object.fromEntries(Object.entries(own).filter(([name]) => isAllowed(name)));
}
