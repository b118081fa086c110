import type { Channel, Clock, ConversationOptions, Ids } from '@hexagent/ports';
import type { FlowOptions } from './flow.ts';
import type { FeatureSet } from './feature-set.ts';
import type { ChannelHost } from './listened-host.ts';
import type { Report } from './report.ts';

/**
 * What a conversation keeps of its options. Not the launch: its environment and its arguments are of no use once the agent
 * runs, and would stay in memory for as long as that does.
 */
export interface Settings extends Omit<ConversationOptions, 'launch' | 'features'> {
  readonly initialize: ConversationOptions['launch']['initialize'];
  readonly sessionId: string | undefined;
}

export function settingsOf({ launch, features: _, ...others }: ConversationOptions): Settings {
  return { ...others, initialize: launch.initialize, sessionId: launch.sessionId };
}

const megabyte = 1024 * 1024;

/** Above how many unread bytes reading pauses. */
export function marksOf({
  softMarkBytes = 2 * megabyte,
  hardMarkBytes = 64 * megabyte,
}: Pick<Settings, 'softMarkBytes' | 'hardMarkBytes'>): Pick<FlowOptions, 'softMarkBytes' | 'hardMarkBytes'> {
  return { softMarkBytes, hardMarkBytes };
}

export interface ConversationParts {
  readonly id: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly report?: Report | undefined;
  readonly features: FeatureSet;
  readonly settings: Settings;
  /** Called once, while the conversation is made. */
  readonly openChannel: (host: ChannelHost) => Channel;
  /** Called once, when the agent has exited. Never rejects. */
  readonly cleanUp: () => Promise<void>;
}
