import { afterEach, describe, expect, it } from 'vitest';
import type { Transport } from '@hexagent/ports';
import { linkedTransport, plainLaunch, scriptedAgent } from '@hexagent/testing';
import { createSdk } from '@hexagent/sdk';
import { createQuery } from '@hexagent/sdk/claude-agent-sdk';
import { inspected } from '../src/inspected.ts';

const place: unique symbol = Symbol.for('@hexagent/inspector');
const ofProcess = globalThis as typeof globalThis & {
  [place]?: { tapped(transport: Transport): Transport } | undefined;
};

afterEach(() => {
  ofProcess[place] = undefined;
});

/** As the inspector leaves it: counts the agents that pass through it. */
function switchOn(): { agents: number } {
  const counted = { agents: 0 };
  const tapped = (transport: Transport): Transport => ({
    connect(...call) {
      counted.agents += 1;
      return transport.connect(...call);
    },
  });
  ofProcess[place] = { tapped };
  return counted;
}

const answering = (): Transport => linkedTransport(scriptedAgent({ turns: () => 'Yes.' })).transport;

describe('An agent that is started', () => {
  it('passes through the inspector of the process, by either door, as long as there is one', async () => {
    const sdk = createSdk({ transport: answering() });
    const counted = switchOn();
    expect(await sdk.ask('Now?').result).toMatchObject({ kind: 'completed' });
    for await (const _ of createQuery({ transport: answering() })({ prompt: 'Now?' }));
    expect(counted.agents).toBe(2);
    ofProcess[place] = undefined;
    expect(await sdk.ask('And now?').result).toMatchObject({ kind: 'completed' });
    expect(counted.agents).toBe(2);
  });

  it('is started at once where there is no inspector', async () => {
    let isStarted = false;
    const transport: Transport = {
      connect() {
        isStarted = true;
        throw new TypeError('enough');
      },
    };
    const connected = inspected(transport).connect(plainLaunch());
    expect(isStarted).toBe(true);
    await expect(connected).rejects.toThrow('enough');
  });
});
