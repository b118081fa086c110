import { describe, expect, it } from 'vitest';
import { SdkError, type Transport } from '@hexagent/ports';
import { HandClock, microtasks } from '@hexagent/testing';
import { collect, converse, wholeTurn } from './support.ts';

describe('#6 A message that is sent when the agent has exited', () => {
  it('rejects with the broken pipe when no exit is reported in time', async () => {
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

describe('An agent that exits before anything was sent', () => {
  it('is a failure, explained by what it wrote to its error stream', async () => {
    const { conversation, agent } = await converse();
    const messages = conversation.allMessages();
    agent.exit({ code: 1, stderr: "error: unknown option '--nope'\n" });
    await expect(collect(messages)).rejects.toThrow(/does not support a flag.*--nope/s);
  });
});

describe('An agent that exits with a stack trace', () => {
  it('is explained by the error above the trace', async () => {
    const { conversation, agent } = await converse();
    const messages = conversation.allMessages();
    const frames = Array.from({ length: 12 }, (_, depth) => `    at load (file:///cli/${depth}.mjs:2:32)`);
    const error = ["Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'yaml'", ...frames, '', 'Node.js v24.1.0', ''];
    agent.exit({ code: 1, stderr: `file:///cli.mjs:2\n\n${error.join('\n')}` });
    const caught: unknown = await collect(messages).catch((thrown: unknown) => thrown);
    expect(String(caught)).toMatch(
      /It last wrote:\nfile:.*\nError \[ERR.*Cannot find package 'yaml'\nNode\.js v24\.1\.0$/s,
    );
    expect(caught).toMatchObject({ stderr: expect.stringContaining('at load') });
  });
});

describe('An agent that exits with code 1', () => {
  it('after a successful result has failed for another reason, which its last five lines may show', async () => {
    const { conversation, agent } = await converse();
    const messages = conversation.allMessages();
    const turn = conversation.send('a');
    agent.write(...wholeTurn(turn.id, 'fine'));
    agent.exit({ code: 1, stderr: 'and then\nit\nwent\nall\nwrong\nat once\n' });
    const error: unknown = await collect(messages).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'AGENT_EXITED', exitCode: 1, lost: [] });
    // The last lines are enough for a message; all of them are in `stderr`.
    expect(String(error)).toContain('it\nwent\nall\nwrong\nat once');
    expect(String(error)).not.toContain('and then');
  });
});
