import { describe, expect, it } from 'vitest';
import type { ObservedEvent } from '@hexagent/ports';
import { microtasks, RecordingObserver } from '@hexagent/testing';
import { converse, init, lifecycle, result, wholeTurn } from './support.ts';

/** The events of turns, in order. */
const aboutTurns = (events: readonly ObservedEvent[]): unknown[] =>
  events.flatMap((event) => {
    if (event.kind === 'turn_started') return [[event.kind, event.id]];
    if (event.kind === 'turn_ended') return [[event.kind, event.id, event.outcome.kind]];
    return event.kind === 'turn_failed' ? [[event.kind, event.id, (event.error as { code?: string }).code]] : [];
  });

describe('An observer of turns', () => {
  it('sees the beginning and the end of each, also of unsolicited turns and of those that never ran', async () => {
    const observer = new RecordingObserver();
    const { conversation, agent } = await converse({}, { observer });
    const [first, second] = [conversation.send('a'), conversation.send('b')];
    agent.write(...wholeTurn(first.id, 'x'), lifecycle(second.id, 'cancelled'), init(), result());
    await microtasks();
    const events = aboutTurns(observer.events) as [string, string, string?][];
    const unsent = events.at(-1)?.[1];
    expect(events).toEqual([
      ['turn_started', first.id],
      ['turn_ended', first.id, 'completed'],
      ['turn_ended', second.id, 'cancelled'],
      ['turn_started', unsent],
      ['turn_ended', unsent, 'completed'],
    ]);
  });

  it('sees once that a turn failed because the agent exited', async () => {
    const observer = new RecordingObserver();
    const { conversation, agent } = await converse({}, { observer });
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'));
    agent.exit({ code: 1 });
    await conversation.exited;
    expect(aboutTurns(observer.events)).toEqual([
      ['turn_started', turn.id],
      ['turn_failed', turn.id, 'AGENT_EXITED'],
    ]);
  });

  it('sees once that a turn was aborted, even if its result still comes', async () => {
    const observer = new RecordingObserver();
    const controller = new AbortController();
    const { conversation, agent } = await converse({ signal: controller.signal }, { observer });
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'));
    await microtasks();
    controller.abort();
    agent.write(result({ user_message_uuids: [turn.id], terminal_reason: 'aborted_streaming' }));
    agent.exit({ code: 0 });
    await conversation.close();
    expect(aboutTurns(observer.events)).toEqual([
      ['turn_started', turn.id],
      ['turn_failed', turn.id, undefined],
    ]);
    await expect(turn.result).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('that throws changes nothing', async () => {
    const observer = { observe: () => expect.fail('An observer of no use.') };
    const { conversation, agent } = await converse({}, { observer });
    const turn = conversation.send('a');
    agent.write(...wholeTurn(turn.id, 'x'));
    expect(await turn.result).toMatchObject({ text: 'x' });
    agent.exit({ code: 0 });
    await conversation.exited;
  });
});
