import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { AbortError, type ConversationOptions, type Transport } from '@hexagent/ports';
import { JsonRpcProtocol } from '@hexagent/jsonrpc-protocol';
import { wireParser } from '@hexagent/parser';
import { QueryService, type Answer } from '@hexagent/querying';
import { ConversationService } from '@hexagent/streaming';
import {
  gate,
  linkedTransport,
  plainLaunch,
  reply,
  scriptedAgent,
  type AgentScript,
  type LinkedTransport,
} from '@hexagent/testing';

function asking(
  script: AgentScript,
  options: Partial<ConversationOptions> = {},
): LinkedTransport & { readonly answer: Answer } {
  const linked = linkedTransport(scriptedAgent(script));
  return { ...linked, answer: over(linked.transport).ask('hi', { launch: plainLaunch(), ...options }) };
}

function over(transport: Transport): QueryService {
  const ids = { request: () => crypto.randomUUID(), uuid: () => crypto.randomUUID() };
  const clock = { now: () => 0, after: () => () => {} };
  const protocol = new JsonRpcProtocol({ parser: wireParser, ids, clock });
  return new QueryService({ conversations: new ConversationService({ transport, protocol, clock, ids }) });
}

async function kinds(answer: Answer): Promise<string[]> {
  const seen: string[] = [];
  for await (const message of answer) seen.push(message.type);
  return seen;
}

describe('An answer', () => {
  it('yields its messages and, when the agent has exited, resolves its result', async () => {
    const { answer, agent } = asking({ turns: ['hello'] });
    expect(await kinds(answer)).toEqual(['system', 'assistant', 'result']);
    expect(await answer.result).toMatchObject({ kind: 'completed', text: 'hello' });
    expect(agent.inputEnded).toBe(true);
  });

  it('resolves its result although a process of the agent could not be ended', async () => {
    const linked = linkedTransport((agent) => {
      agent.onInputEnd(() => agent.exit({ code: 0, notEnded: [12] }));
      scriptedAgent({ turns: ['hello'] })(agent);
    });
    const { result } = over(linked.transport).ask('hi', { launch: plainLaunch() });
    expect(await result).toMatchObject({ kind: 'completed', text: 'hello' });
  });

  it('needs no reader', async () => {
    expect(await asking({ turns: ['hello'] }).answer.result).toMatchObject({ text: 'hello' });
  });

  it('needs no reader, however much is unread', async () => {
    const text = 'x'.repeat(1024 * 1024);
    const turns = [[text, text, text, 'done']];
    expect(await asking({ turns }).answer.result).toMatchObject({ kind: 'completed' });
  });

  it('#10 resolves its result only when a background task has reported too', async () => {
    const until = gate();
    const { answer } = asking({ turns: [[reply.subagent('look around', { until, report: 'the report' }), 'started']] });
    let given = false;
    const outcome = answer.result.finally(() => (given = true));
    const texts: unknown[] = [];
    for await (const message of answer) {
      if (message.type !== 'result') continue;
      texts.push(message.subtype === 'success' ? message.result : undefined);
      expect(given).toBe(false);
      until.open();
    }
    expect(texts).toEqual(['started', 'the report']);
    expect(await outcome).toMatchObject({ text: 'started' });
  });

  it('ends its agent when the loop is left, and when it is closed before anyone reads', async () => {
    const held = gate();
    const left = asking({ turns: [[reply.hold(held)]] });
    for await (const _ of left.answer) break;
    await left.agent.ended;
    held.open();
    const closed = asking({ turns: [[reply.hold(gate())]] });
    await closed.answer.close();
    expect(closed.agent.inputEnded).toBe(true);
  });

  it('rejects its loop and its result with the reason why it could not start', async () => {
    const { answer } = asking({}, { signal: AbortSignal.abort('before') });
    await expect(kinds(answer)).rejects.toMatchObject({ name: 'AbortError' });
    await expect(answer.result).rejects.toMatchObject({ name: 'AbortError' });
    await answer.close();
  });

  it('that is closed while its agent is being started aborts the start', async () => {
    const connecting = Promise.withResolvers<AbortSignal | undefined>();
    const transport: Transport = {
      connect: (_, { signal } = {}) => {
        connecting.resolve(signal);
        return new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new AbortError('start aborted')), { once: true });
        });
      },
    };
    const answer = over(transport).ask('hi', { launch: plainLaunch() });
    const reading = kinds(answer);
    await connecting.promise;
    await answer.close();
    expect(await reading).toEqual([]);
    await expect(answer.result).rejects.toMatchObject({ code: 'CONVERSATION_CLOSED' });
  });

  it('#26 ends with the reason of its signal, however late that aborts', async () => {
    const controller = new AbortController();
    const { answer, agent } = asking({ turns: [[reply.hold(gate())]] }, { signal: controller.signal });
    const reading = kinds(answer);
    await agent.next('user');
    controller.abort('enough');
    await expect(reading).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' });
    await expect(answer.result).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' });
  });

  it('#14 leaves no listener on a signal that outlives it', async () => {
    const { signal } = new AbortController();
    for (let count = 0; count < 3; count += 1) await asking({ turns: ['hello'] }, { signal }).answer.result;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('leaves no agent behind when its prompt cannot be sent', async () => {
    const linked = linkedTransport(scriptedAgent());
    // A program in JavaScript may ask with anything.
    const answer = over(linked.transport).ask(undefined as never, { launch: plainLaunch() });
    await expect(answer.result).rejects.toThrow(TypeError);
    expect(linked.agent.inputEnded).toBe(true);
  });

  it('yields its messages in order to a reader that calls next() several times at once', async () => {
    const { answer } = asking({ turns: ['hello'] });
    const reader = answer[Symbol.asyncIterator]();
    const steps = await Promise.all([reader.next(), reader.next(), reader.next(), reader.next()]);
    expect(steps.map(({ value }) => value?.type)).toEqual(['system', 'assistant', 'result', undefined]);
  });

  it('is done at once when its loop is left, although the agent is still ending', async () => {
    const held = gate();
    const { answer, agent } = asking({ turns: [[reply.hold(held)]] });
    for await (const _ of answer) break;
    expect(await answer[Symbol.asyncIterator]().next()).toMatchObject({ done: true });
    await agent.ended;
  });
});
