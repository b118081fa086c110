import type { Channel, Clock, ConversationOptions, Host, Ids } from '@hexagent/ports';
import type { Report } from './report.ts';
import type { ServerFailures } from './server-failures.ts';

/** What a conversation is made of. */
export interface ConversationParts {
  readonly id: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly report?: Report | undefined;
  readonly failures: ServerFailures;
  /** Whether the agent may ask anything of the program. */
  readonly callbacks: boolean;
  readonly options: ConversationOptions;
  /** Called once, while the conversation is made. */
  readonly openChannel: (handlers: Required<Pick<Host, 'message' | 'activity' | 'broken' | 'exited'>>) => Channel;
  /** Called once, when the agent has gone. Never rejects. */
  readonly cleanUp: () => Promise<void>;
}
