import type { Approvals } from '@hexagent/approvals';
import type { SessionHost } from '@hexagent/hosting';
import type { OutboxStore } from '@hexagent/ports';
import type { HostedChats } from './hosted-chats.ts';

/** Takes up what an earlier process left. */
export async function recover(parts: {
  readonly host: SessionHost;
  readonly outbox: OutboxStore;
  readonly approvals: Approvals;
  readonly chats: HostedChats;
}): Promise<void> {
  const { host, outbox, approvals, chats } = parts;
  const left: string[] = [];
  for await (const key of outbox.claimable()) left.push(key);
  for (const key of left) chats.follow(key);
  const taken = await host.recover();
  // Another process has these, or nothing is left of them: their end is not reported here.
  for (const key of left) if (!taken.includes(key)) await chats.releaseParked(key);
  // The agent that asked has exited; if the next one asks again, that is another request.
  for (const key of taken) await approvals.recover({ session: key });
}
