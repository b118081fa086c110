import { assert } from './assert.ts';
import { setTimeout as after } from 'node:timers/promises';
import type { SessionSignal, SessionSignals } from '@hexagent/ports';
import type { SessionSignalsFixture } from './hosting-stores-fixture.ts';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';
import { runPromises, type KeepPromise } from './store-promises.ts';

/** What every `SessionSignals` promises: a listener receives what is sent, unless it is lost. */
export function sessionSignalsContract(runner: Runner, fixture: SessionSignalsFixture): void {
  const limited = limitedRunner('sessionSignalsContract', runner, fixture);
  limited.describe('SessionSignals contract', () => runPromises(limited, fixture, { always, durable }));
}

const wake: SessionSignal = { session: 'a', kind: 'wake' };

interface Listening {
  readonly received: readonly SessionSignal[];
  readonly stop: () => void;
}

function listen(signals: SessionSignals): Listening {
  const received: SessionSignal[] = [];
  return { received, stop: signals.subscribe((signal) => void received.push(signal)) };
}

/** A signal may be lost, such as one that is sent before the listener is connected, so it is sent until each listener has it. */
async function sentUntil(
  signals: SessionSignals,
  signal: SessionSignal,
  listeners: readonly Listening[],
): Promise<void> {
  const has = ({ received }: Listening): boolean =>
    received.some(({ session, kind }) => session === signal.session && kind === signal.kind);
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    signals.send(signal);
    if (listeners.every(has)) return;
    await after(10);
  }
  assert.fail(`${JSON.stringify(signal)} did not arrive.`);
}

const always: Readonly<Record<string, KeepPromise<SessionSignals>>> = {
  async 'gives each listener what is sent, as it was sent'(signals) {
    const listeners = [listen(signals), listen(signals)];
    for (const kind of ['wake', 'settled', 'moved', 'crowded'] as const)
      for (const session of ['a', 'an id / of .. the application 😀'])
        await sentUntil(signals, { session, kind }, listeners);
    for (const { received } of listeners)
      for (const signal of received) assert.deepEqual(Object.keys(signal).toSorted(), ['kind', 'session']);
  },

  async 'gives nothing to a listener that has left'(signals) {
    const [left, other] = [listen(signals), listen(signals)];
    await sentUntil(signals, wake, [left, other]);
    left.stop();
    left.stop();
    const moved = { session: 'a', kind: 'moved' } as const;
    await sentUntil(signals, moved, [other]);
    assert.ok(left.received.every(({ kind }) => kind === 'wake'));
  },

  async 'reaches the other listeners, and the sender, where one throws'(signals) {
    signals.subscribe(() => {
      throw new Error('This listener throws.');
    });
    const other = listen(signals);
    await sentUntil(signals, wake, [other]);
  },

  async 'takes a signal for which there is no listener'(signals) {
    assert.equal(signals.send(wake), undefined);
    listen(signals).stop();
    assert.equal(signals.send(wake), undefined);
  },
};

const durable: Readonly<Record<string, KeepPromise<SessionSignals>>> = {
  async 'reaches the listeners of another one over the same place, and these reach it'(signals, reopen) {
    const other = await reopen();
    const [here, there] = [listen(signals), listen(other)];
    await sentUntil(signals, wake, [here, there]);
    await sentUntil(other, { session: 'b', kind: 'settled' }, [here, there]);
  },
};
