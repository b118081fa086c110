import { describe, expect, it } from 'vitest';
import type { AgentMessage, Ask, ConversationEvent, FeatureControl } from '@hexagent/ports';
import { microtasks } from '@hexagent/testing';
import { assistantText, brief, collect, converse, init, lifecycle, result } from './support.ts';
import { named } from './feature-doubles.ts';

interface Span {
  readonly name: string;
  readonly parent: string | undefined;
  status: 'open' | 'ok' | 'error';
}

/** Spans as OpenTelemetry has them, from events alone: a turn, and in it its tools and what a person is asked. */
class Spans {
  readonly byId = new Map<string, Span>();

  take(event: ConversationEvent): void {
    if (event.kind === 'turn_started') this.#begin(event.turn, 'turn', event.within);
    else if (event.kind === 'message') this.#takeMessage(event.message, event.turn);
    else if (event.kind === 'ask_opened') this.#begin(event.ask.id, `ask ${event.ask.kind}`, event.turn);
    else if (event.kind === 'ask_settled') this.#end(event.id, event.how === 'answered');
    else if (event.kind === 'turn_ended') this.#end(event.turn, event.outcome.kind === 'completed');
    else if (event.kind === 'turn_cut') this.#end(event.turn, false);
  }

  #takeMessage(message: AgentMessage, turn: string | undefined): void {
    if (message.type !== 'assistant' && message.type !== 'user') return;
    const { content } = message.message;
    for (const block of typeof content === 'string' ? [] : content) {
      if (block.type === 'tool_use') this.#begin(block.id, `tool ${block.name}`, turn);
      if (block.type === 'tool_result') this.#end(block.tool_use_id, block.is_error !== true);
    }
  }

  #begin(id: string, name: string, parent: string | undefined): void {
    this.byId.set(id, { name, parent, status: 'open' });
  }

  #end(id: string, isFine: boolean): void {
    const span = this.byId.get(id);
    if (span !== undefined) span.status = isFine ? 'ok' : 'error';
  }
}

describe('A fold of events to spans', () => {
  it('shows turns, tools and asks beside a program that reads its turn, and takes nothing from it', async () => {
    let control: FeatureControl | undefined;
    const { conversation, agent } = await converse({
      features: [named({ attach: (given) => void (control = given) })],
    });
    const spans = new Spans();
    const folding = (async () => {
      for await (const event of conversation.events({ mayMiss: true })) spans.take(event);
    })();
    const [turn, cut] = [conversation.send('a'), conversation.send('b')];
    const reading = collect(turn);
    const block = (type: 'assistant' | 'user', content: object): object => ({
      ...assistantText(''),
      type,
      message: { role: type, content: [content] },
    });
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    agent.write(block('assistant', { type: 'tool_use', id: 't', name: 'Bash', input: {} }));
    await microtasks();
    const asked = { kind: 'call', request: { tool_name: 'Bash' }, createdAt: 0, signal: new AbortController().signal };
    control?.append?.({ kind: 'ask_opened', ask: { id: 'r', ...asked } as unknown as Ask }); // the rest of it is not read
    control?.append?.({ kind: 'ask_settled', id: 'r', how: 'withdrawn' });
    agent.write(
      block('user', { type: 'tool_result', tool_use_id: 't', content: 'ok' }),
      assistantText('done'),
      result(),
    );
    agent.write(lifecycle(cut.id, 'started'), init(cut.id));
    expect((await reading).map(brief)).toEqual(['system/init', 'tool_use', 'user', 'done', 'result/success']);
    agent.exit({ code: 1 });
    await Promise.allSettled([folding, cut.result]);
    expect(Object.fromEntries(spans.byId)).toEqual({
      [turn.id]: { name: 'turn', parent: undefined, status: 'ok' },
      t: { name: 'tool Bash', parent: turn.id, status: 'ok' },
      r: { name: 'ask call', parent: turn.id, status: 'error' },
      [cut.id]: { name: 'turn', parent: undefined, status: 'error' },
    });
  });
});
