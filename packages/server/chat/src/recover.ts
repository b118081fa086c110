import type { Approvals } from '@hexagent/approvals';
import type { SessionHost } from '@hexagent/hosting';
import type { OutboxEntry, OutboxStore } from '@hexagent/ports';
import type { HostedChats } from './hosted-chats.ts';

/** Takes up what an earlier process left. */
export async function recover(parts: {
  readonly host: SessionHost;
  readonly outbox: OutboxStore;
  readonly approvals: Approvals;
  readonly chats: HostedChats;
}): Promise<void> {
  const { host, outbox, approvals, chats } = parts;
  const left = new Map<string, OutboxEntry>();
  for (const key of await outbox.unfinished()) {
    const [next] = await outbox.pending(key);
    if (next === undefined) continue;
    left.set(key, next);
    chats.takeUp(key, { uuid: next.uuid, isCut: next.state !== 'queued' });
  }
  const taken = await host.recover();
  // Another process has these, or nothing is left of them: whatever ends there is not reported here.
  for (const key of left.keys()) if (!taken.includes(key)) await chats.releaseParked(key);
  for (const key of taken) {
    // The agent that asked has exited; if the next one asks again, that is another request.
    await approvals.recover({ session: key });
    const isHeld = (await host.get(key))?.isHeld ?? true;
    const next = left.get(key);
    if (next !== undefined && !isHeld) chats.expect(key, next.uuid);
  }
}
