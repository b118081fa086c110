import { describe, expect, it } from 'vitest';
import { microtasks, type LinkedAgent } from '@hexagent/testing';
import { answer, converse, lifecycle, result } from './support.ts';

const retry = (attempt: number, fields: object = {}): object => ({
  type: 'system',
  subtype: 'api_retry',
  uuid: 'frame',
  session_id: 's',
  attempt,
  max_retries: 10,
  retry_delay_ms: 500,
  error_status: 401,
  error: 'authentication_failed',
  ...fields,
});
const aborted = result({ subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_streaming' });
const interrupts = ({ received }: LinkedAgent): number =>
  received.filter(({ request }) => request?.subtype === 'interrupt').length;

describe('A turn whose credentials the service refuses', () => {
  it('fails at the second refusal, when the conversation is to fail', async () => {
    const { conversation, agent } = await converse({ refusedCredentials: 'fail' });
    const turn = conversation.send('hi');
    agent.write(lifecycle(turn.id, 'started'), retry(1));
    await microtasks();
    expect(interrupts(agent)).toBe(0);
    agent.write(retry(2), retry(3));
    answer(agent, await agent.next('interrupt'));
    agent.write(aborted, lifecycle(turn.id, 'completed'));
    expect(await turn.result).toMatchObject({
      kind: 'failed',
      cause: 'api',
      status: 401,
      message: expect.stringMatching(/refused the credentials/),
      hint: { kind: 'authentication' },
    });
    expect(interrupts(agent)).toBe(1);
  });

  it('is retried by the agent unless the conversation is to fail', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('hi');
    agent.write(lifecycle(turn.id, 'started'), retry(1), retry(2), retry(3), result({ result: 'at last' }));
    expect(await turn.result).toMatchObject({ kind: 'completed', text: 'at last' });
    expect(interrupts(agent)).toBe(0);
  });

  it.each([
    ['another failure of the service', { error: 'overloaded', error_status: 529 }],
    ['no connection', { error: 'unknown', error_status: null }],
    ['a frame without a count', { attempt: 'two' }],
  ])('is not assumed for %s', async (_, fields) => {
    const { conversation, agent } = await converse({ refusedCredentials: 'fail' });
    const turn = conversation.send('hi');
    agent.write(lifecycle(turn.id, 'started'), retry(1, fields), retry(2, fields), result());
    expect(await turn.result).toMatchObject({ kind: 'completed' });
    expect(interrupts(agent)).toBe(0);
  });

  it('has the outcome of the agent when that came before the interrupt', async () => {
    const { conversation, agent } = await converse({ refusedCredentials: 'fail' });
    const turn = conversation.send('hi');
    const refused = { is_error: true, terminal_reason: 'api_error', api_error_status: 401, result: 'Not logged in' };
    agent.write(lifecycle(turn.id, 'started'), retry(1), retry(2), result(refused));
    expect(await turn.result).toMatchObject({ kind: 'failed', message: 'Not logged in', status: 401 });
  });

  it('does not make the next turn fail when that is interrupted', async () => {
    const { conversation, agent } = await converse({ refusedCredentials: 'fail' });
    const first = conversation.send('one');
    agent.write(lifecycle(first.id, 'started'), retry(1), retry(2));
    answer(agent, await agent.next('interrupt'));
    agent.write(aborted, lifecycle(first.id, 'completed'));
    await first.result;
    const second = conversation.send('two');
    agent.write(lifecycle(second.id, 'started'));
    const interrupted = second.interrupt();
    answer(agent, await agent.next('interrupt'));
    agent.write(aborted, lifecycle(second.id, 'completed'));
    expect(await interrupted).toBe('interrupted');
  });
});
