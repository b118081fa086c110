import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FeatureControl, PermissionRequest, SessionFeature } from '@hexagent/ports';
import { Deferred } from '@hexagent/async';
import { agentFrames, linkedTransport, reply } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { open, recorded, spanNamed } from './support.ts';

const activeId = (): string | undefined => trace.getSpanContext(context.active())?.spanId;

const asking = [[reply.tool('Bash', { command: 'ls' }, { id: 'call-1', asks: true }), 'Done.']];

/** Decides about calls, and shows those to a person that `isForPerson` names. */
function deciding(
  decide: (request: PermissionRequest) => Promise<{ behavior: 'allow' } | { behavior: 'deny'; message: string }>,
  { isForPerson = false } = {},
): SessionFeature {
  let control: FeatureControl | undefined;
  return {
    name: 'permissions',
    attach: (given) => (control = given),
    launch: { permissionPrompts: 'host' },
    handlers: {
      can_use_tool: async (request, { requestId, signal }) => {
        if (isForPerson) {
          const fields = { id: requestId, createdAt: 0, expiresAt: undefined, request, signal };
          const call = { tool: 'Bash', input: { command: 'ls' }, suggestions: [] } as const;
          control?.append?.({ kind: 'ask_opened', ask: { ...fields, ...call, kind: 'call' } });
        }
        return await decide(request);
      },
    },
  };
}

describe('A callback of the program', () => {
  it('runs in the context of the call that it is about, and keeps it over what it awaits', async () => {
    const seen = recorded();
    const ids: (string | undefined)[] = [];
    const feature = deciding(async () => {
      ids.push(activeId());
      await new Promise(setImmediate);
      ids.push(activeId());
      return { behavior: 'allow' };
    });
    const { conversation } = await open({ turns: asking }, seen, { features: [feature] });
    await conversation.send('hi').result;
    await conversation.finish();
    const { spanId } = spanNamed(seen.spans.ended, 'execute_tool Bash').spanContext();
    expect(ids).toEqual([spanId, spanId]);
  });

  it('that is a tool finds its call by what the agent adds to it, and without that the turn', async () => {
    const seen = recorded();
    const { transport, agent } = linkedTransport();
    const ids: (string | undefined)[] = [];
    const feature: SessionFeature = {
      name: 'servers',
      handlers: {
        mcp_message: async ({ message }) => {
          ids.push(activeId());
          return { ...message, result: {} };
        },
      },
    };
    const { conversation } = await open({}, seen, { features: [feature], transport });
    agent.write(agentFrames.response(await agent.next('initialize')));
    const turn = conversation.send('hi');
    const call = { type: 'tool_use', id: 'call-1', name: 'mcp__own__add', input: {} };
    const message = { id: 'm', role: 'assistant', model: 'test', content: [call], stop_reason: null, usage: {} };
    const calling = (id: string, _meta?: object): object => ({
      type: 'control_request',
      request_id: id,
      request: {
        subtype: 'mcp_message',
        server_name: 'own',
        message: { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'add', _meta } },
      },
    });
    agent.write(
      agentFrames.lifecycle(turn.id, 'started'),
      agentFrames.init(turn.id),
      { type: 'assistant', message, parent_tool_use_id: null, uuid: 'a', session_id: 's' },
      calling('1', { 'claudecode/toolUseId': 'call-1' }),
      calling('2'),
      agentFrames.result({ user_message_uuids: [turn.id] }),
    );
    await turn.result;
    agent.exit();
    await conversation.exited;
    const of = (name: string): string => spanNamed(seen.spans.ended, name).spanContext().spanId;
    expect(ids).toEqual([of('execute_tool mcp__own__add'), of('invoke_agent claude-code')]);
  });

  it('that fails is an event on the turn', async () => {
    const seen = recorded();
    const feature = deciding(() => Promise.reject(new RangeError('made up')));
    const { conversation } = await open({ turns: asking }, seen, { features: [feature] });
    await conversation.send('hi').result;
    await conversation.finish();
    const { events } = spanNamed(seen.spans.ended, 'invoke_agent claude-code');
    expect(events.map(({ name, attributes }) => ({ name, ...attributes }))).toEqual([
      { name: 'hexagent.callback_failed', 'hexagent.callback': 'can_use_tool', 'error.type': 'RangeError' },
    ]);
  });
});

describe('A request for a permission', () => {
  it.each([
    [false, 'program'],
    [true, 'person'],
  ])(
    'is an event on its call, with who answered and how long that took: shown to a person is %s',
    async (isForPerson, by) => {
      const seen = recorded();
      const answer = new Deferred<{ behavior: 'allow' }>();
      const asked = new Deferred<void>();
      const feature = deciding(() => (asked.resolve(), answer.promise), { isForPerson });
      const { conversation } = await open({ turns: asking }, seen, { features: [feature] });
      const turn = conversation.send('hi');
      await asked.promise;
      const waiting = async () => (await seen.metrics())['hexagent.approvals.waiting']?.map(({ value }) => value);
      expect(await waiting()).toEqual([1]);
      answer.resolve({ behavior: 'allow' });
      await turn.result;
      await conversation.finish();
      const call = spanNamed(seen.spans.ended, 'execute_tool Bash');
      expect(call.events.map(({ name, attributes }) => ({ name, ...attributes }))).toEqual([
        {
          name: 'hexagent.approval',
          'hexagent.approval.kind': 'call',
          'hexagent.approval.decision': 'allow',
          'hexagent.approval.answered_by': by,
          'hexagent.approval.wait': expect.any(Number),
          'gen_ai.tool.name': 'Bash',
          'gen_ai.tool.call.id': 'call-1',
        },
      ]);
      expect(call.status.code).toBe(SpanStatusCode.UNSET);
      expect(await waiting()).toEqual([0]);
    },
  );

  it('that is denied ends its call as denied, and the turn as it ends', async () => {
    const seen = recorded();
    const feature = deciding(async () => ({ behavior: 'deny', message: 'No.' }));
    const { conversation } = await open({ turns: asking }, seen, { features: [feature] });
    await conversation.send('hi').result;
    await conversation.finish();
    expect(spanNamed(seen.spans.ended, 'execute_tool Bash')).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { 'error.type': 'denied' },
    });
    expect(spanNamed(seen.spans.ended, 'invoke_agent claude-code').status.code).toBe(SpanStatusCode.UNSET);
  });

  it('that the agent denies by itself is an event without a wait', async () => {
    const seen = recorded();
    const { conversation } = await open({ turns: asking }, seen);
    await conversation.send('hi').result;
    await conversation.finish();
    const call = spanNamed(seen.spans.ended, 'execute_tool Bash');
    expect(call.attributes).toMatchObject({ 'error.type': 'denied' });
    expect(call.events.map(({ attributes }) => attributes?.['hexagent.approval.answered_by'])).toEqual(['agent']);
  });

  it('that waits when the agent is killed is closed as unanswered, with its call and its turn', async () => {
    const seen = recorded();
    const asked = new Deferred<void>();
    const feature = deciding(() => (asked.resolve(), new Promise(() => {})));
    const { conversation } = await open({ turns: asking }, seen, { features: [feature] });
    const turn = conversation.send('hi');
    await asked.promise;
    await conversation.suspend();
    await expect(turn.result).rejects.toMatchObject({ code: 'SESSION_SUSPENDED' });
    await conversation.exited;
    expect(seen.spans.open.size).toBe(0);
    const call = spanNamed(seen.spans.ended, 'execute_tool Bash');
    expect(call.events.map(({ attributes }) => attributes?.['hexagent.approval.decision'])).toEqual(['unanswered']);
    expect(call.attributes).toMatchObject({ 'error.type': 'SESSION_SUSPENDED' });
    expect((await seen.metrics())['hexagent.approvals.waiting']?.map(({ value }) => value)).toEqual([0]);
  });
});
