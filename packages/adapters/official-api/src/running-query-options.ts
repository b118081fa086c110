import type { Conversation, InitializeFields } from '@hexagent/ports';
import type { Ending } from './ending.ts';
import type { InputOptions, Prompt } from './input.ts';
import type { QueryServers } from './query-parts.ts';

export interface RunningQueryOptions {
  /** Absent: `begin()` is called with it later. */
  readonly prompt?: Prompt | undefined;
  /** The program's own. Never handed on, so that only this query listens to it. */
  readonly signal: AbortSignal | undefined;
  readonly input: Pick<InputOptions, 'mayBeAsked' | 'isVerbatim'>;
  /** What an agent that runs is initialized with again. */
  readonly setup: () => InitializeFields;
  /** The servers of this process. */
  readonly servers: QueryServers;
  /** Called once, when the query ends or fails. */
  readonly onEnd?: ((ending: Ending) => void) | undefined;
  readonly open: (options: { readonly signal: AbortSignal }) => Promise<Conversation>;
}
