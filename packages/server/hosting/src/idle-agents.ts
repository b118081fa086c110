import type { Admission } from './admission.ts';
import type { HostedSession } from './hosted-session.ts';
import { hasAgent } from './session-state.ts';

/** Ends idle agents to make room for others. */
export class IdleAgents {
  readonly #sessions: ReadonlyMap<string, HostedSession>;
  /** The sessions whose agents are being ended. */
  readonly #ending = new Set<HostedSession>();

  constructor(sessions: ReadonlyMap<string, HostedSession>) {
    this.#sessions = sessions;
  }

  /** Ends the agent that was idle longest, of one tenant or of all, unless enough are being ended. */
  makeRoom(tenant: string | undefined, admission: Admission): boolean {
    const isOf = (session: HostedSession): boolean => tenant === undefined || isOfTenant(session, tenant);
    const waiting = tenant === undefined ? admission.waiting : admission.waitingOf(tenant);
    return [...this.#ending].filter(isOf).length < waiting && this.#end(isOf);
  }

  /** The same for a tenant that waits in another process. */
  makeRoomElsewhere(tenant: string): void {
    this.#end((session) => isOfTenant(session, tenant));
  }

  /** A session of a tenant that waits for a place for its agent. */
  waitingOf(tenant: string): string | undefined {
    return [...this.#sessions.values()].find((session) => isWaiting(session) && isOfTenant(session, tenant))?.id;
  }

  #end(isOf: (session: HostedSession) => boolean): boolean {
    const idle = [...this.#sessions.values()].filter((session) => session.mayBeParked && isOf(session));
    const oldest = idle.reduce<HostedSession | undefined>(
      (found, session) => (found !== undefined && found.idleSince <= session.idleSince ? found : session),
      undefined,
    );
    if (oldest === undefined) return false;
    this.#ending.add(oldest);
    const done = (): void => void this.#ending.delete(oldest);
    void oldest.park('wait', 5000).then(done, done);
    return true;
  }
}

const isWaiting = ({ info: { state, pending } }: HostedSession): boolean => pending > 0 && !hasAgent(state);

const isOfTenant = ({ record }: HostedSession, tenant: string): boolean => (record?.tenant ?? '') === tenant;
