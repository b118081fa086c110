import { SdkError } from '@hexagent/ports';
import type { SessionHost } from '@hexagent/hosting';
import { chatIdOf } from './chat-keys.ts';

type Host = Pick<SessionHost, 'get' | 'isElsewhere'>;

interface Chats {
  readonly host: Host;
  /** The messages of a chat that are not finished, in their order. */
  readonly pendingOf: (key: string) => Promise<readonly string[]>;
}

/** @throws {SdkError} `SESSION_HELD` where another process drives the session. */
export async function refuseElsewhere(host: Host, key: string): Promise<void> {
  if (await isElsewhere(host, key)) throw held(key);
}

/** @throws {SdkError} `SESSION_HELD` where another process has a turn of the chat: here it would look as if none ran. */
export async function refuseTurnElsewhere(chats: Chats, key: string): Promise<void> {
  if ((await turnElsewhere(chats, key)) !== undefined) throw held(key);
}

/** The message that another process runs in a chat, or runs next. `undefined` where `uuid` is among those that it has. */
export async function turnElsewhere({ host, pendingOf }: Chats, key: string, uuid = ''): Promise<string | undefined> {
  const pending = await pendingOf(key);
  const isAsked = pending.length > 0 && !pending.includes(uuid);
  return isAsked && (await isElsewhere(host, key)) ? pending[0] : undefined;
}

async function isElsewhere(host: Host, key: string): Promise<boolean> {
  const { state = 'parked' } = (await host.get(key)) ?? {};
  return state === 'parked' && (await host.isElsewhere(key));
}

function held(key: string): SdkError {
  return new SdkError('SESSION_HELD', `The chat ${chatIdOf(key)} is driven by another process.`);
}
