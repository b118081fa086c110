import { SdkError } from '@hexagent/ports';
import type { Admission } from './admission.ts';
import type { HostLimits } from './host-options.ts';
import type { HostedSession } from './hosted-session.ts';
import type { Arrival } from './session-parts.ts';

interface HostRoom {
  readonly limits: { readonly [Name in keyof HostLimits]-?: number };
  readonly admission: Pick<Admission, 'waiting' | 'waitingOf'>;
  readonly sessions: readonly Pick<HostedSession, 'pendingBytes' | 'record'>[];
}

/** @throws {SdkError} `HOST_FULL` where one more message is too many. */
export function refuseFull({ tenant, bytes, pending, hasPlace }: Arrival, room: HostRoom): void {
  const { limits, admission } = room;
  const { maxWaiting, maxWaitingPerTenant, maxPending } = limits;
  refuseBytes(bytes, tenant, room);
  if (pending >= maxPending) throw full(`${pending} messages of the session are unfinished`, 'maxPending');
  if (hasPlace) return;
  if (admission.waiting >= maxWaiting) throw full(`${maxWaiting} sessions wait for an agent`, 'maxWaiting');
  if (admission.waitingOf(tenant) >= maxWaitingPerTenant)
    throw full(`${maxWaitingPerTenant} sessions of the tenant wait for an agent`, 'maxWaitingPerTenant');
}

function refuseBytes(bytes: number, tenant: string | undefined, { limits, sessions }: HostRoom): void {
  const { maxPendingBytes, maxPendingBytesPerTenant } = limits;
  const refuse = (of: HostRoom['sessions'], limit: string, most: number): void => {
    const before = of.reduce((sum, { pendingBytes }) => sum + pendingBytes, 0);
    if (before + bytes > most) throw full(`${before} bytes wait, and the message has ${bytes}`, limit);
  };
  refuse(sessions, 'maxPendingBytes', maxPendingBytes);
  if (tenant === undefined) return;
  const own = sessions.filter(({ record }) => record?.tenant === tenant);
  refuse(own, 'maxPendingBytesPerTenant', maxPendingBytesPerTenant);
}

function full(what: string, limit: string): SdkError {
  return new SdkError('HOST_FULL', `The session host takes no message now: ${what} (\`${limit}\`).`);
}
