import { describe, expect, it } from 'vitest';
import { SdkError, type Transport } from '@hexagent/ports';
import { HandClock, microtasks } from '@hexagent/testing';
import { collect, converse } from './support.ts';

describe('#6 What is sent when the agent has gone', () => {
  it('rejects with the broken pipe when no exit follows in time', async () => {
    const clock = new HandClock();
    let broken = false;
    const through = (transport: Transport): Transport => ({
      async connect(launch, options) {
        const connection = await transport.connect(launch, options);
        const send = (line: string): Promise<void> =>
          broken ? Promise.reject(new SdkError('CHANNEL_CLOSED', 'EPIPE')) : connection.send(line);
        return { ...connection, send };
      },
    });
    const { conversation } = await converse({}, { clock, through });
    broken = true;
    const turn = conversation.send('into a broken pipe');
    await microtasks();
    clock.advance(3000);
    await expect(turn.result).rejects.toMatchObject({ code: 'CHANNEL_CLOSED' });
  });
});

describe('An agent that leaves before anything was sent', () => {
  it('is a failure with a meaning', async () => {
    const { conversation, agent } = await converse({ delivery: 'all' });
    agent.exit({ code: 1, stderr: "error: unknown option '--nope'\n" });
    await expect(collect(conversation.messages)).rejects.toThrow(/does not know a flag.*--nope/s);
  });
});
