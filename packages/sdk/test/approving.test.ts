import { describe, expect, it } from 'vitest';
import { createSdk, type Parts } from '@hexagent/sdk';
import { createQuery } from '@hexagent/sdk/claude-agent-sdk';
import { linkedTransport, reply, scriptedAgent, type LinkedAgent } from '@hexagent/testing';

/** An agent that asks once, and what it was answered. */
function asking(): { parts: Parts; agent: LinkedAgent; warned: string[] } {
  const warned: string[] = [];
  const { transport, agent } = linkedTransport(
    scriptedAgent({ turns: () => [reply.tool('Bash', { command: 'ls' }, { asks: true }), 'Done.'] }),
  );
  return { parts: { transport, onWarning: ({ message }) => void warned.push(message) }, agent, warned };
}

/** The last answer to the agent, without what names the request. Before it, the hook of the policy was answered. */
function answerIn({ received }: LinkedAgent): unknown {
  const answer = received.flatMap((frame) => (frame.type === 'control_response' ? [frame['response']] : [])).at(-1);
  return { ...(answer as object), request_id: 'the request' };
}

async function bothWith(answer: unknown): Promise<readonly { answered: unknown; warned: readonly string[] }[]> {
  const callback = (): never => answer as never; // as a program without types may
  const native = asking();
  await createSdk(native.parts).ask('go', { onAsk: callback }).result;
  const official = asking();
  for await (const _ of createQuery(official.parts)({ prompt: 'go', options: { canUseTool: callback } }));
  return [native, official].map(({ agent, warned }) => ({ answered: answerIn(agent), warned }));
}

describe('Nonsense from an approver', () => {
  it.each<readonly [string, unknown]>([
    ['nothing', undefined],
    ['a boolean', true],
    ['a list', [{ behavior: 'allow' }]],
    ['an object without `behavior`', { type: 'allow' }],
    ['an unknown `behavior`', { behavior: 'ask' }],
    ['a denial without a message', { behavior: 'deny' }],
    ['an input that is a text', { behavior: 'allow', updatedInput: 'rm' }],
    ['permissions that are no list', { behavior: 'allow', updatedPermissions: {} }],
  ])('is the same denial in both faces, with the reason, and the same warning: %s', async (_, answer) => {
    const [native, official] = await bothWith(answer);
    expect(native).toEqual(official);
    expect(native?.answered).toMatchObject({
      subtype: 'success',
      response: { behavior: 'deny', message: expect.stringMatching(/^Denied: /) },
    });
    expect(native?.warned).toHaveLength(1);
  });
});
