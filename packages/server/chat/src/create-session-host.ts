import { given, having, record } from '@hexagent/checks';
import { hostingChecks, SessionHost, type HostingOptions, type SessionHostOptions } from '@hexagent/hosting';
import { attempt } from '@hexagent/async';
import type { AgentOpener, AgentRequest } from '@hexagent/ports';
import { systemClock } from '@hexagent/processes';
import { createSdk, type Sdk, type SessionOptions } from '@hexagent/sdk';
import { unlessAborted } from './unless-aborted.ts';
import { checkedOptions, checkSource, decidedByHost } from './check-source.ts';
import { openStores, withStores, type HostStores, type StoreOptions } from './host-stores.ts';

/** Options of `openSession`, apart from those that a host decides. */
export type HostedSessionOptions = Omit<
  SessionOptions,
  'resume' | 'sessionId' | 'continue' | 'fork' | 'persist' | 'signal' | 'interruptedTurn'
>;

/** Which session an agent is for. */
export type HostedSessionIdentity = Pick<AgentRequest, 'tenant' | 'facts' | 'fence'> & {
  /** The program's own id of it. */
  readonly id: string;
};

export type HostedSessionSource =
  | HostedSessionOptions
  | ((session: HostedSessionIdentity) => HostedSessionOptions | Promise<HostedSessionOptions>);

/** How sessions run, and where their records are kept. */
export interface SessionHostSetup extends HostingOptions, StoreOptions<HostStores> {
  /** How the agent of a session runs: options of `openSession`, or a function that returns them for a session. */
  readonly session?: HostedSessionSource | undefined;
  /** An SDK of parts of your choice. */
  readonly sdk?: Pick<Sdk, 'openSession'> | undefined;
}

const setup = record<SessionHostSetup>(
  {
    ...hostingChecks,
    folder: given(),
    postgres: given(),
    sdk: having('openSession'),
    session: given(),
    stores: given(),
  },
  { called: 'options' },
);

/**
 * Many sessions in one process, kept in files: joins a `SessionHost` with `openSession` and with stores, which are closed
 * with it. Call `recover()` of the host once, to take up what an earlier process left.
 * @example
 * const host = createSessionHost({ session: { permissions: { allow: ['Read'] } } });
 * await host.recover();
 * await host.create('chat 1');
 * const { done } = await host.send('chat 1', 'Which tests are slow?');
 * @throws {TypeError} for options that make no sense.
 * @throws {SdkError} `STORE_FAILED` where other users may write to the default folder.
 */
export function createSessionHost(options: SessionHostSetup = {}): SessionHost {
  const { session = {}, sdk = createSdk(), folder, postgres, stores, ...hosting } = setup(options, '');
  checkSource(session, decidedByHost);
  const open: AgentOpener = async ({ session: id, tenant, facts, fence, options: own }) => {
    const found = attempt(() => (typeof session === 'function' ? session({ id, tenant, facts, fence }) : session));
    const checked = checkedOptions(await unlessAborted(found, own.signal), decidedByHost);
    const store = checked.store ?? opened.transcriptsOf?.({ session: id, fence });
    return await sdk.openSession({ ...checked, store, ...own });
  };
  const opened = openStores(
    { folder, postgres, stores },
    { name: 'sessions', needs: ['outbox', 'directory', 'leases'] },
  );
  return withStores(opened, ({ outbox, directory, leases, signals, places, close }) =>
    hostOf({ ...hosting, open, outbox, directory, leases, signals, places, onClosed: close }),
  );
}

/** A host by the clock of the system. */
export function hostOf(options: Omit<SessionHostOptions, 'clock' | 'ids'>): SessionHost {
  return new SessionHost({ ...options, clock: systemClock, ids: { uuid: () => crypto.randomUUID() } });
}
