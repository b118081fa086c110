import type { SessionHost, SessionInfo } from '@hexagent/hosting';
import type { ChatCaller } from '@hexagent/ports';
import { isOwn } from './chat-keys.ts';

/**
 * The sessions of a caller that were used last, so many or all there are. To a caller without a tenant the host lists those of all
 * tenants, which are left out here.
 */
export async function ownSessions(
  host: Pick<SessionHost, 'list'>,
  caller: ChatCaller,
  count: number,
): Promise<readonly SessionInfo[]> {
  const own: SessionInfo[] = [];
  let before: SessionInfo | undefined;
  for (;;) {
    const limit = count - own.length;
    const page = await host.list({ tenant: caller.tenant, limit, before });
    own.push(...page.filter(({ id }) => isOwn(id, caller)));
    before = page.at(-1);
    if (own.length === count || page.length < limit) return own;
  }
}
