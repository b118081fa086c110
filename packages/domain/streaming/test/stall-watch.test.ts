import { SdkError, type AgentMessage, type FeatureControl, type TurnFailure } from '@hexagent/ports';
import { HandClock, microtasks } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { StallWatch } from '../src/stall-watch.ts';

const afterMs = 1000;
const event = (type: string): AgentMessage =>
  ({ type: 'stream_event', event: { type }, parent_tool_use_id: null }) as object as AgentMessage;
const toolUse = {
  type: 'assistant',
  message: { id: 'm', content: [{ type: 'tool_use', id: 'call', name: 'Bash', input: {} }] },
  parent_tool_use_id: null,
} as object as AgentMessage;
const toolResult = {
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call' }] },
  parent_tool_use_id: null,
} as object as AgentMessage;
const result = { type: 'result' } as object as AgentMessage;
const retry = { type: 'system', subtype: 'api_retry' } as object as AgentMessage;
const [start, delta, stop] = ['message_start', 'content_block_delta', 'message_stop'].map(event) as [
  AgentMessage,
  AgentMessage,
  AgentMessage,
];

interface Watched {
  readonly failures: readonly TurnFailure[];
  receive(...messages: readonly AgentMessage[]): void;
  pass(ms: number): Promise<void>;
}

/** A watch whose agent answers at once, after what `beforeAnswer` does. */
function watched(beforeAnswer: (receive: Watched['receive']) => void = () => {}): Watched {
  const clock = new HandClock();
  const failures: TurnFailure[] = [];
  const watch = new StallWatch({ afterMs, clock });
  const receive: Watched['receive'] = (...messages) => {
    for (const message of messages) watch.receive(message);
  };
  const request = async (): Promise<object> => {
    beforeAnswer(receive);
    return {};
  };
  watch.attach({ request, failTurn: (failure: TurnFailure) => failures.push(failure) } as object as FeatureControl);
  return {
    failures,
    receive,
    async pass(ms) {
      clock.advance(ms);
      await microtasks();
    },
  };
}

describe('#39 StallWatch', () => {
  it('stops the turn when nothing of an answer comes for so long, and reports for how long', async () => {
    const { failures, receive, pass } = watched();
    receive(start, delta);
    await pass(600);
    receive(delta);
    await pass(999);
    expect(failures).toEqual([]);
    await pass(1);
    expect(failures).toMatchObject([{ kind: 'failed', cause: 'stall', stalledMs: 1000 }]);
    await pass(10_000);
    expect(failures).toHaveLength(1);
  });

  it.each([
    ['before the first event of an answer', []],
    ['behind the last', [start, delta, stop]],
    ['while a tool of the answer runs', [start, delta, toolUse]],
    ['also when events follow it', [start, toolUse, delta]],
    ['while the agent waits to try again', [start, delta, retry]],
    ['after the result', [start, delta, result]],
    ['for a subagent', [{ ...start, parent_tool_use_id: 'call' } as object as AgentMessage]],
  ])('waits %s', async (_, messages) => {
    const { failures, receive, pass } = watched();
    receive(...messages);
    await pass(1_000_000);
    expect(failures).toEqual([]);
  });

  it('watches again once the tool has its result', async () => {
    const { failures, receive, pass } = watched();
    receive(start, toolUse);
    await pass(5000);
    receive(toolResult);
    await pass(999);
    expect(failures).toEqual([]);
    await pass(1);
    expect(failures).toMatchObject([{ stalledMs: 1000 }]);
  });

  it('does not stop a turn whose events waited to be read', async () => {
    let isFirst = true;
    const { failures, receive, pass } = watched((arrives) => {
      if (isFirst) arrives(delta);
      isFirst = false;
    });
    receive(start);
    await pass(1000);
    expect(failures).toEqual([]);
    await pass(1000);
    expect(failures).toHaveLength(1);
  });

  it('waits where the agent gives no answer because readers are behind: its events may lie before that', async () => {
    const clock = new HandClock();
    const failures: TurnFailure[] = [];
    let isBehind = true;
    const watch = new StallWatch({ afterMs, clock });
    const request = () => Promise.reject(new SdkError('REQUEST_TIMEOUT', 'Late.'));
    const failTurn = (failure: TurnFailure) => failures.push(failure);
    watch.attach({ request, failTurn, isBehind: () => isBehind } as object as FeatureControl);
    watch.receive(start);
    const pass = async () => {
      clock.advance(afterMs);
      await microtasks();
    };
    await pass();
    expect(failures).toEqual([]);
    isBehind = false;
    await pass();
    expect(failures).toMatchObject([{ cause: 'stall' }]);
  });

  it('leaves no timer behind', async () => {
    const clock = new HandClock();
    const watch = new StallWatch({ afterMs, clock });
    watch.receive(start);
    expect(clock.waiting).toBe(1);
    await watch.close();
    expect(clock.waiting).toBe(0);
  });
});
