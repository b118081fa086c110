import { describe, expect, it } from 'vitest';
import { JsonRpcProtocol } from '@hexagent/jsonrpc-protocol';
import { wireParser } from '@hexagent/parser';
import { QueryService, type Answer, type AskOptions } from '@hexagent/querying';
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

function asking(script: AgentScript, options: Partial<AskOptions> = {}): LinkedTransport & { readonly answer: Answer } {
  const linked = linkedTransport(scriptedAgent(script));
  const ids = { request: () => crypto.randomUUID(), uuid: () => crypto.randomUUID() };
  const clock = { now: () => 0, after: () => () => {} };
  const protocol = new JsonRpcProtocol({ parser: wireParser, ids, clock });
  const conversations = new ConversationService({ transport: linked.transport, protocol, clock, ids });
  return { ...linked, answer: new QueryService({ conversations }).ask('hi', { launch: plainLaunch(), ...options }) };
}

async function kinds(answer: Answer): Promise<string[]> {
  const seen: string[] = [];
  for await (const message of answer) seen.push(message.type);
  return seen;
}

describe('An answer', () => {
  it('gives its messages and, when the agent has gone, its outcome', async () => {
    const { answer, agent } = asking({ turns: ['hello'] });
    expect(await kinds(answer)).toEqual(['system', 'assistant', 'result']);
    expect(await answer.outcome).toMatchObject({ kind: 'completed', text: 'hello' });
    expect(agent.inputEnded).toBe(true);
  });

  it('needs no reader', async () => {
    expect(await asking({ turns: ['hello'] }).answer.outcome).toMatchObject({ text: 'hello' });
  });

  it('#10 is given only when a background task has reported too', async () => {
    const until = gate();
    const { answer } = asking({ turns: [[reply.subagent('look around', { until, report: 'the report' }), 'started']] });
    let given = false;
    const outcome = answer.outcome.finally(() => (given = true));
    const texts: unknown[] = [];
    for await (const message of answer) {
      if (message.type !== 'result') continue;
      texts.push(message.result);
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

  it('tells in the loop and in the outcome why it could not begin', async () => {
    const { answer } = asking({}, { signal: AbortSignal.abort('before') });
    await expect(kinds(answer)).rejects.toMatchObject({ name: 'AbortError' });
    await expect(answer.outcome).rejects.toMatchObject({ name: 'AbortError' });
    await answer.close();
  });
});
