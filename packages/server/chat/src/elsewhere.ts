import { SdkError } from '@hexagent/ports';
import type { SessionHost } from '@hexagent/hosting';
import { chatIdOf } from './chat-keys.ts';

/** @throws {SdkError} `SESSION_HELD` where another process drives the session. */
export async function refuseElsewhere(host: Pick<SessionHost, 'get' | 'isElsewhere'>, key: string): Promise<void> {
  const { state = 'parked' } = (await host.get(key)) ?? {};
  if (state !== 'parked' || !(await host.isElsewhere(key))) return;
  throw new SdkError('SESSION_HELD', `The chat ${chatIdOf(key)} is driven by another process.`);
}
