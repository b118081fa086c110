import type { Channel, Clock, ConversationOptions, Ids } from '@hexagent/ports';
import type { FeatureSet } from './feature-set.ts';
import type { ChannelHost } from './listened-host.ts';
import type { Report } from './report.ts';

/** What a conversation is made of. */
export interface ConversationParts {
  readonly id: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly report?: Report | undefined;
  readonly features: FeatureSet;
  readonly options: ConversationOptions;
  /** Called once, while the conversation is made. */
  readonly openChannel: (host: ChannelHost) => Channel;
  /** Called once, when the agent has gone. Never rejects. */
  readonly cleanUp: () => Promise<void>;
}
