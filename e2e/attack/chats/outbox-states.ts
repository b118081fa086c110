import { OutboxFiles } from '@hexagent/host-files';
import { chatOf, messageOf, type ChatAccount } from './chat-account.ts';
import type { StorableMessage } from './page-messages.ts';

/** How the outbox has each message in the end. How often each ran must be counted before. */
export async function readStates(
  folder: string,
  messages: readonly StorableMessage[],
  account: ChatAccount,
): Promise<void> {
  const outbox = new OutboxFiles({ folder });
  const unfinished = new Set(await Array.fromAsync(outbox.claimable()));
  for (const { name, uuid } of messages) {
    const session = chatOf(name);
    const message = messageOf(account, name);
    if (uuid !== undefined) message.state = await outbox.stateOf({ session, uuid });
    // Its uuid is made of its id; without one that was not done with in the chat, it is.
    else if (!unfinished.has(session)) message.state = message.ran === 0 ? 'cancelled' : 'completed';
  }
  await outbox.close();
}
