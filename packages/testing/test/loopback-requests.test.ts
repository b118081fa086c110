import { describe, expect, it } from 'vitest';
import {
  lastUserText,
  notification,
  startLoopback,
  systemText,
  toolResults,
  type Loopback,
  type ModelRequest,
} from '@hexagent/testing/loopback';
import { ask, eventsOf, userMessage, textOf } from './loopback-client.ts';

const reminder = { type: 'text', text: '<system-reminder>\nBe brief.\n</system-reminder>' };
const answered = { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: {} }] };

async function requestWith(loopback: Loopback, body: object): Promise<ModelRequest> {
  await ask(loopback, body);
  return await loopback.received(loopback.requests.length);
}

describe('A recorded request', () => {
  it('has what was sent, and can be awaited before it arrives', async () => {
    await using loopback = await startLoopback(['a', 'b']);
    const second = loopback.received(2);
    await ask(loopback);
    await ask(loopback, {
      system: [
        { type: 'text', text: 'You help.' },
        { type: 'text', text: 'Always.' },
      ],
    });
    const request = await second;
    expect(request).toMatchObject({
      index: 1,
      method: 'POST',
      path: '/v1/messages?beta=true',
      body: { model: 'model-x' },
    });
    expect(request.headers['x-api-key']).toBe('none');
    expect(systemText(request)).toBe('You help.\n\nAlways.');
    expect(loopback.requests).toHaveLength(2);
    expect(await request.ended).toBe('sent');
  });

  it('separates the prompt from the reminders around it', async () => {
    await using loopback = await startLoopback(() => 'ok');
    const messages = [
      userMessage([reminder, { type: 'text', text: 'Fix it' }]),
      { role: 'system', content: 'Today is Monday.' },
    ];
    expect(lastUserText(await requestWith(loopback, { messages }))).toBe('Fix it');
    expect(lastUserText(await requestWith(loopback, { messages: [userMessage('Plain')] }))).toBe('Plain');
    expect(lastUserText(await requestWith(loopback, { messages: [userMessage([reminder])] }))).toBe('');
    const goOn = { type: 'text', text: 'Continue from where you left off.' };
    const resumed = [userMessage('Fix it'), answered, userMessage([goOn])];
    expect(lastUserText(await requestWith(loopback, { messages: resumed }))).toBe('Fix it');
  });

  it('has its own tool results, and not those of earlier requests', async () => {
    await using loopback = await startLoopback(() => 'ok');
    const result = { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'no' }], is_error: true };
    const round = [userMessage('Go'), answered, userMessage([result])];
    const request = await requestWith(loopback, { messages: round });
    expect(toolResults(request)).toEqual([{ id: 't1', text: 'no', isError: true }]);
    expect(lastUserText(request)).toBe('Go');
    const later = await requestWith(loopback, {
      messages: [...round, { role: 'assistant', content: 'Done' }, userMessage('More')],
    });
    expect(toolResults(later)).toEqual([]);
  });

  it('has the notification that a background task has ended', async () => {
    await using loopback = await startLoopback(() => 'ok');
    const notice =
      '<system-reminder>\n<task-notification>\n<status>completed</status>\n</task-notification>\n</system-reminder>';
    const request = await requestWith(loopback, {
      messages: [userMessage('Go'), answered, userMessage([{ type: 'text', text: notice }])],
    });
    expect(notification(request)).toContain('<status>completed</status>');
    expect(notification(await requestWith(loopback, { messages: [userMessage('Go')] }))).toBeUndefined();
  });
});

describe('A request that is not part of the conversation', () => {
  it.each([
    ['title', { system: [{ type: 'text', text: 'You are naming a coding session so …' }] }],
    ['suggestion', { messages: [userMessage([{ type: 'text', text: '[SUGGESTION MODE: Suggest …' }])] }],
    ['model-check', { max_tokens: 1, stream: false, messages: [userMessage('Hi')] }],
  ])('(%s) does not use an ordered script', async (side, body) => {
    await using loopback = await startLoopback(['for the conversation']);
    await ask(loopback, body);
    expect(loopback.requests).toHaveLength(0);
    expect(loopback.others).toMatchObject([{ side }]);
    expect(textOf(await eventsOf(await ask(loopback)))).toBe('for the conversation');
  });

  it('can be answered by the test', async () => {
    await using loopback = await startLoopback([], { side: (_, kind) => `my ${kind}` });
    const response = await ask(loopback, { messages: [userMessage('[SUGGESTION MODE: …')] });
    expect(textOf(await eventsOf(response))).toBe('my suggestion');
  });

  it('is recorded: token counts, probes, and unknown ones, which are refused', async () => {
    await using loopback = await startLoopback();
    const post = { method: 'POST', body: '{"messages":[]}' };
    const count = await fetch(`${loopback.url}/v1/messages/count_tokens?beta=true`, post);
    expect(await count.json()).toEqual({ input_tokens: 4 });
    expect((await fetch(`${loopback.url}/api/hello`, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${loopback.url}/v1/files`)).status).toBe(404);
    expect((await ask(loopback, {}, { body: 'no json' })).status).toBe(400);
    expect(loopback.others.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/messages/count_tokens?beta=true',
      'HEAD /api/hello',
      'GET /v1/files',
      'POST /v1/messages?beta=true',
    ]);
    expect(loopback.others.at(-1)?.body).toBe('no json');
  });
});

describe('The port of a loopback', () => {
  it('is the one that was asked for, and is named where it is taken', async () => {
    const first = await startLoopback();
    const port = Number(new URL(first.url).port);
    await expect(startLoopback([], { port })).rejects.toThrow(`cannot listen on the port ${port} of 127.0.0.1`);
    await first.close();
    await using second = await startLoopback([], { port });
    expect(second.url).toBe(first.url);
  });
});
