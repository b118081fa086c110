import { Deferred } from '@hexagent/async';
import { SdkError } from '@hexagent/ports';
import { microtasks } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { openStepped, type Stepped } from './connection.ts';

const asking = (request_id: unknown, subtype: string): object => ({
  type: 'control_request',
  request_id,
  request: { subtype, tool_name: 'Bash', input: {}, tool_use_id: 't', message: 'm', dialog_kind: 'k' },
});

/** Answers the request with this id, with the requests that the agent lists as pending. */
function answer({ connection }: Stepped, request_id: string, pending: object): void {
  const response = { subtype: 'success', request_id, response: {}, ...pending };
  connection.frames.push([JSON.stringify({ type: 'control_response', response })]);
}

/** The ids of the requests that were answered. */
const answered = ({ connection }: Stepped): readonly unknown[] =>
  connection.log
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { readonly response?: { readonly request_id?: unknown } })
    .flatMap(({ response }) => response?.request_id ?? []);

describe('The requests that the agent lists as pending when it is initialized', () => {
  it('is asked, each in its list', async () => {
    const stepped = openStepped({}, { can_use_tool: async () => ({ behavior: 'deny', message: 'No.' }) });
    await microtasks();
    answer(stepped, 'r1', {
      pending_permission_requests: [asking('permission', 'can_use_tool'), asking('strange', 'hook_callback')],
      pending_user_dialog_requests: [asking('dialog', 'request_user_dialog')],
      pending_elicitation_requests: [asking('elicitation', 'elicitation')],
    });
    await microtasks();
    expect(answered(stepped).toSorted()).toEqual(['dialog', 'elicitation', 'permission']);
  });

  it('is not asked again while it is being answered', async () => {
    const decided = new Deferred<null>();
    let asked = 0;
    const can_use_tool = (): Promise<null> => ((asked += 1), decided.promise);
    const stepped = openStepped({}, { can_use_tool });
    await microtasks();
    answer(stepped, 'r1', { pending_permission_requests: [asking('p', 'can_use_tool')] });
    const again = stepped.channel.requestUntyped('initialize');
    await microtasks();
    answer(stepped, 'r2', { pending_permission_requests: [asking('p', 'can_use_tool')] });
    await again;
    expect(asked).toBe(1);
    decided.resolve(null);
  });

  it('is ignored in any other form, and beside the answer to another request', async () => {
    const stepped = openStepped({}, { can_use_tool: async () => ({ behavior: 'deny', message: 'No.' }) });
    await microtasks();
    const odd = [null, 5, 'p', [], {}, { type: 'control_request' }, { type: 'control_request', request: null }];
    answer(stepped, 'r1', { pending_permission_requests: odd, pending_user_dialog_requests: { 0: asking('d', 'x') } });
    const other = stepped.channel.requestUntyped('mcp_status');
    await microtasks();
    answer(stepped, 'r2', { pending_permission_requests: [asking('p', 'can_use_tool')] });
    await other;
    await microtasks();
    expect(answered(stepped)).toEqual([]);
    expect(stepped.observed.map(({ kind }) => kind)).not.toContain('bad_line');
  });
});

describe('A second `initialize`', () => {
  it('is given up like any other request, other than the first, which sets the agent up', async () => {
    const { channel } = openStepped();
    await microtasks();
    const again = channel.requestUntyped('initialize');
    channel.giveUpRequests(new SdkError('REQUEST_STALLED', 'Given up by the test.'));
    await expect(again).rejects.toThrow('Given up by the test.');
    expect(channel.openRequests).toBe(1);
  });
});
