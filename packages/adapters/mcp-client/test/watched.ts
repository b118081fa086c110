import { HandClock } from '@hexagent/testing';
import { expect } from 'vitest';
import type { ExternalServer, HttpServer, ServerStatus } from '../src/index.ts';

export const polling = { timeout: 30_000, interval: 10 };

/** What a test sees of a server that breaks: its statuses, and a clock that it moves. */
export function watched(): { clock: HandClock; states: string[]; options: Pick<HttpServer, 'clock' | 'onStatus'> } {
  const clock = new HandClock();
  const states: string[] = [];
  const onStatus = (status: ServerStatus): void => {
    states.push(
      status.state === 'reconnecting' ? `${status.attempt}/${status.attempts} in ${status.inMs}` : status.state,
    );
    throw new Error('A listener that fails changes nothing.');
  };
  return { clock, states, options: { clock, onStatus } };
}

export const connected = async (server: ExternalServer): Promise<void> =>
  await expect.poll(() => server.status.state, polling).toBe('connected');
