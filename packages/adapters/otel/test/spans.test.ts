import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { agentFrames, gate, linkedTransport, reply } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { open, paths, recorded, spanNamed, within } from './support.ts';

const model = 'claude-opus-5-5';

describe('A turn', () => {
  it('is an agent that was invoked, with its requests to the model and the calls that they asked for', async () => {
    const seen = recorded();
    const turns = [[reply.tool('Read', { file_path: 'a' }, { id: 'call-1' }), 'Done.']];
    const { conversation } = await open({ turns }, seen);
    await conversation.send('hi').result;
    await conversation.finish();
    expect(paths(seen.spans.ended)).toEqual([
      'invoke_agent claude-code',
      `invoke_agent claude-code > chat ${model}`,
      `invoke_agent claude-code > chat ${model}`,
      `invoke_agent claude-code > chat ${model} > execute_tool Read`,
    ]);
    expect(seen.spans.open.size).toBe(0);
    const turn = spanNamed(seen.spans.ended, 'invoke_agent claude-code');
    expect(turn).toMatchObject({ kind: SpanKind.INTERNAL, status: { code: SpanStatusCode.UNSET } });
    expect(turn.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.agent.name': 'claude-code',
      'gen_ai.conversation.id': conversation.sessionId,
      'gen_ai.usage.input_tokens': 20,
      'gen_ai.usage.output_tokens': 10,
      'hexagent.turn.outcome': 'completed',
      'hexagent.cost.usd': expect.any(Number),
    });
    expect(spanNamed(seen.spans.ended, 'execute_tool Read').attributes).toMatchObject({
      'gen_ai.tool.name': 'Read',
      'gen_ai.tool.call.id': 'call-1',
    });
    const chat = spanNamed(seen.spans.ended, `chat ${model}`);
    expect(chat.kind).toBe(SpanKind.CLIENT);
    expect(chat.attributes).toMatchObject({ 'gen_ai.request.model': model, 'gen_ai.usage.input_tokens': 10 });
  });

  it('records no prompt, answer, input or result, unless asked to', async () => {
    const turns = [[reply.tool('Read', { file_path: 'SECRET-1' }, { result: 'SECRET-2' }), 'SECRET-3']];
    for (const content of [false, true]) {
      const seen = recorded();
      const { conversation } = await open({ turns }, seen, { telemetry: { content } });
      await conversation.send('SECRET-4').result;
      await conversation.finish();
      const all = JSON.stringify(
        seen.spans.ended.map(({ attributes, events, status }) => ({ attributes, events, status })),
      );
      const found = ['SECRET-1', 'SECRET-2', 'SECRET-3', 'SECRET-4'].filter((secret) => all.includes(secret));
      expect(found).toHaveLength(content ? 4 : 0);
    }
  });

  it('belongs to the span in which it was sent, also where it is read in another', async () => {
    const seen = recorded();
    const { conversation } = await open({ turns: ['one', 'two'] }, seen);
    const first = within(seen, 'first request', () => conversation.send('1'));
    const second = within(seen, 'second request', () => conversation.send('2'));
    await within(seen, 'reader', () => Promise.all([first.result, second.result]));
    await conversation.finish();
    const of = (name: string) =>
      paths(seen.spans.ended).filter((path) => path.startsWith(`${name} > invoke_agent`)).length;
    expect([of('first request'), of('second request'), of('reader')]).toEqual([2, 2, 0]);
  });

  it('that another trace opened the conversation for is linked to that', async () => {
    const seen = recorded();
    const { conversation } = await within(seen, 'opening', () => open({ turns: ['one'] }, seen));
    await within(seen, 'request', () => conversation.send('1')).result;
    await conversation.finish();
    const opening = spanNamed(seen.spans.ended, 'opening').spanContext();
    const turn = spanNamed(seen.spans.ended, 'invoke_agent claude-code');
    expect(turn.spanContext().traceId).not.toBe(opening.traceId);
    expect(turn.links.map((link) => link.context.spanId)).toEqual([opening.spanId]);
  });

  it('without a message is a trace of its own', async () => {
    const seen = recorded();
    const ready = gate();
    const turns = [[reply.shell('sleep 1', { until: ready, report: 'It is done.' }), 'Started.']];
    const { conversation } = await open({ turns }, seen);
    await within(seen, 'request', () => conversation.send('1')).result;
    ready.open();
    for await (const turn of conversation.turns) {
      await turn.result;
      break;
    }
    await conversation.finish();
    const [sent, unsolicited] = seen.spans.ended.filter(({ name }) => name.startsWith('invoke_agent'));
    expect(sent?.parentSpanContext).toBeDefined();
    expect(unsolicited?.parentSpanContext).toBeUndefined();
    expect(unsolicited?.attributes).toMatchObject({ 'hexagent.turn.unsolicited': true });
  });
});

describe('A request to the model', () => {
  it('that is answered in pieces has the tokens of its answer, and how long the first one took', async () => {
    const seen = recorded();
    const { conversation } = await open({ turns: ['Hello.'] }, seen, { partial: true });
    const turn = conversation.send('hi');
    await turn.result;
    await conversation.finish();
    expect(spanNamed(seen.spans.ended, `chat ${model}`).attributes).toMatchObject({
      'gen_ai.usage.output_tokens': 5,
      'gen_ai.request.stream': true,
      'gen_ai.response.time_to_first_chunk': expect.any(Number),
      'gen_ai.response.finish_reasons': ['end_turn'],
    });
  });

  it('counts what the cache had as input', async () => {
    const seen = recorded();
    const { transport, agent } = linkedTransport();
    const { conversation } = await open({}, seen, { transport });
    agent.write(agentFrames.response(await agent.next('initialize')));
    const turn = conversation.send('hi');
    const usage = { input_tokens: 1, cache_read_input_tokens: 20, cache_creation_input_tokens: 300, output_tokens: 1 };
    const content = [{ type: 'text', text: 'hello' }];
    const message = { id: 'm', role: 'assistant', model: 'test', content, stop_reason: null, usage };
    agent.write(
      agentFrames.lifecycle(turn.id, 'started'),
      agentFrames.init(turn.id),
      { type: 'assistant', message, parent_tool_use_id: null, uuid: 'a', session_id: 's' },
      agentFrames.result({ user_message_uuids: [turn.id] }),
    );
    await turn.result;
    agent.exit();
    await conversation.exited;
    const { attributes } = spanNamed(seen.spans.ended, 'chat test');
    expect(attributes).toMatchObject({
      'gen_ai.usage.input_tokens': 321,
      'gen_ai.usage.cache_read.input_tokens': 20,
      'gen_ai.usage.cache_creation.input_tokens': 300,
    });
    // In whole blocks, the agent does not report it.
    expect(attributes).not.toHaveProperty('gen_ai.usage.output_tokens');
  });

  it('that the service refuses fails with its status', async () => {
    const seen = recorded();
    const { conversation } = await open({ turns: [reply.apiError(429, 'Too many.')] }, seen);
    await conversation.send('hi').result;
    await conversation.finish();
    for (const name of [`chat ${model}`, 'invoke_agent claude-code'])
      expect(spanNamed(seen.spans.ended, name)).toMatchObject({
        status: { code: SpanStatusCode.ERROR },
        attributes: { 'error.type': '429' },
      });
  });
});
