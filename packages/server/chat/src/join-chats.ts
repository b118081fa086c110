import { Approvals } from '@hexagent/approvals';
import type { SessionHost, SessionHostOptions } from '@hexagent/hosting';
import type { ChatDoor, TranscriptsOf } from '@hexagent/ports';
import { systemClock } from '@hexagent/processes';
import { createSdk } from '@hexagent/sdk';
import { ChatAgents } from './chat-agents.ts';
import { toChatApprovals } from './chat-approvals.ts';
import type { ChatAgentOptions } from './chat-options.ts';
import { hostOf } from './create-session-host.ts';
import type { ChatStores } from './host-stores.ts';
import { HostedChats } from './hosted-chats.ts';
import { toAnswerLimits } from './refused-suggestions.ts';
import type { Reporting } from './reporting.ts';
import { ShownChats } from './shown-chats.ts';
import { StoredChats } from './stored-chats.ts';

export interface JoinedChats {
  readonly host: SessionHost;
  readonly approvals: Approvals;
  readonly door: ChatDoor;
  /** Ends the agents, and resolves when nothing of the chats is shown any more. */
  close(): Promise<void>;
}

type JoinOptions = Omit<ChatAgentOptions, 'folder' | 'postgres' | 'stores'> & {
  readonly stores: ChatStores & { readonly transcriptsOf?: TranscriptsOf | undefined };
  /** Where other processes reach these chats. */
  readonly address?: string | undefined;
  /** Which sessions it takes up that no process drives. Default: all. */
  readonly claims?: SessionHostOptions['claims'];
};

/** Chats with agents behind them, to be reached through a door. */
export function joinChats(options: JoinOptions, { warn, onError }: Reporting): JoinedChats {
  const { session = {}, sdk = createSdk(), hosting, subagents, fileMentions = false, address, claims } = options;
  const limits = toAnswerLimits(options);
  const { approvals: store, transcriptsOf, ...stores } = options.stores;
  const { outbox } = stores;
  const clock = systemClock;
  const approvals = new Approvals({ store, clock, expiresAfterMs: options.approvalsExpireAfterMs, warn });
  const agents = new ChatAgents({ sdk, session, approvals, transcriptsOf });
  const onFound = async (key: string): Promise<void> => {
    shown.follow(key);
    // The agent that asked has exited; if the next one asks again, that is another request.
    await approvals.recover({ session: key }).catch(onError);
  };
  const host = hostOf({ ...hosting, ...stores, address, claims, open: agents.open, onFound });
  const shown = new ShownChats({ host, subagents, answers: limits, clock, onError });
  const history = new StoredChats({ host, agents, outbox, subagents, onError, shown });
  const sessions = new HostedChats({
    host,
    shown,
    stored: history,
    fileMentions,
    pendingOf: async (key) => (await outbox.pending(key)).map(({ uuid }) => uuid),
    applyOptions: (key, sendOptions) => agents.apply(key, sendOptions),
  });
  const stopFollowing = approvals.subscribe(({ type, record }) => shown.approvalChanged(type, record));
  return {
    host,
    approvals,
    door: {
      sessions,
      history,
      approvals: toChatApprovals(approvals, limits, host),
      states: async (chatIds, caller) => sessions.states(chatIds, caller),
    },
    async close() {
      await host.close();
      stopFollowing();
      await shown.closed();
    },
  };
}
