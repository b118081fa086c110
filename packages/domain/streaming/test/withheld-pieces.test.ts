import { describe, expect, it } from 'vitest';
import { agentFrames, microtasks } from '@hexagent/testing';
import { assistantText, brief, collect, converse, init, lifecycle, result } from './support.ts';

const piece = {
  type: 'stream_event',
  event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x'.repeat(500) } },
  parent_tool_use_id: null,
};
const requesting = { type: 'system', subtype: 'status', status: 'requesting' };
const compacting = { type: 'system', subtype: 'status', status: 'compacting' };
const answer = [init(), requesting, piece, assistantText('whole'), compacting, result()];
const whole = ['system/init', 'whole', 'system/status', 'result/success'];

describe('Pieces of the text that are withheld', () => {
  it('come to no reader of messages or events, and do not count as unread', async () => {
    const { conversation, agent } = await converse({ withholdsPieces: true, softMarkBytes: 3000 });
    const events = conversation.events({ mayMiss: true });
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'), ...answer.slice(0, 2), ...Array.from({ length: 9 }, () => piece));
    await microtasks();
    expect(agent.paused).toBe(false);
    agent.write(...answer.slice(3), piece);
    expect((await collect(turn)).map(brief)).toEqual(whole);
    agent.exit();
    const seen = (await collect(events)).flatMap((event) => (event.kind === 'message' ? [brief(event.message)] : []));
    expect(seen).toEqual(whole);
  });

  it('come to the reader of a turn that asked for them', async () => {
    const { conversation, agent } = await converse({ withholdsPieces: true });
    const [first, second] = [conversation.send('a'), conversation.send('b')];
    second.includePieces?.();
    for (const { id } of [first, second]) agent.write(lifecycle(id, 'started'), ...answer);
    expect((await collect(first)).map(brief)).toEqual(whole);
    expect((await collect(second)).map(brief)).toContain('stream_event');
  });

  it('are reported to the agent as unread with the first of a turn, and as read with the first of another', async () => {
    const { conversation, agent } = await converse({ withholdsPieces: true });
    agent.write(lifecycle(conversation.send('a').id, 'started'), ...answer);
    expect((await agent.next('set_has_subscribers')).request).toEqual({
      subtype: 'set_has_subscribers',
      has_subscribers: false,
    });
    for (const text of ['b', 'c']) {
      const turn = conversation.send(text);
      turn.includePieces?.();
      agent.write(lifecycle(turn.id, 'started'), ...answer);
    }
    const request = await agent.next('set_has_subscribers');
    expect(request.request).toEqual({ subtype: 'set_has_subscribers', has_subscribers: true });
    agent.write(agentFrames.refusal(request, 'Unsupported control request subtype'));
    await microtasks();
    expect(agent.lines.filter((line) => line.includes('set_has_subscribers'))).toHaveLength(2);
  });

  it('are not reported while they are read', async () => {
    const { conversation, agent } = await converse({ withholdsPieces: true });
    const turn = conversation.send('a');
    turn.includePieces?.();
    agent.write(lifecycle(turn.id, 'started'), ...answer);
    await collect(turn);
    expect(agent.lines.filter((line) => line.includes('set_has_subscribers'))).toEqual([]);
  });
});
