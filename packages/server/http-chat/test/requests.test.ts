import { SdkError, type ErrorCode } from '@hexagent/ports';
import { HandTurn } from '@hexagent/testing';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { ChatHandlerOptions, RefusalCode } from '../src/index.ts';
import { chatBody, errorOf, place, request, userMessage } from './chat-double.ts';

const assistantMessage = (parts: readonly object[]): object => ({ id: 'answer', role: 'assistant', parts });
const answered = (id: string, approved = true): object => ({
  type: 'dynamic-tool',
  state: 'approval-responded',
  approval: { id, approved, reason: 'because' },
});

describe('The code of a refusal', () => {
  it('is not one of an error, which means something else', () => {
    expectTypeOf<RefusalCode & ErrorCode>().toEqualTypeOf<never>();
  });
});

describe('#24 A handler of a chat page', () => {
  it('starts a turn with the last message of a page, and streams it with the headers of its format', async () => {
    const { handler, chats } = place();
    const messages = [userMessage('first', 'old'), assistantMessage([]), userMessage('second', 'new')];
    const response = await handler.handle(request({ body: { id: 'chat1', messages, trigger: 'submit-message' } }));
    chats.turnOf('chat1')?.write('data: 1\n\n');
    chats.turnOf('chat1')?.end();
    expect([response.status, response.headers.get('x-vercel-ai-ui-message-stream')]).toEqual([200, 'v1']);
    expect(await response.text()).toBe('data: 1\n\n');
    expect(chats.received).toEqual([
      {
        call: 'start',
        chatId: 'chat1',
        caller: { name: 'local' },
        message: { id: 'new', content: 'second' },
        sendOptions: { steer: false, model: undefined, permissionMode: undefined },
      },
    ]);
  });

  it.each([
    ['a request of a server of Node', { url: '/', method: 'GET', headers: { host: 'localhost' } }],
    ['an address', 'http://localhost/api/sessions'],
    ['nothing', undefined],
  ])('names what a server of Node needs, where it is passed %s', async (_, value) => {
    const { handler } = place();
    // A program without types may pass any value.
    await expect(handler.handle(value as unknown as Request)).rejects.toThrow(
      new TypeError('`handle` takes a `Request` of the web: pass `toNodeListener(handle)` to a server of Node.'),
    );
  });

  it('takes the message alone too, as a page sends it that keeps its history elsewhere', async () => {
    const { handler, chats } = place();
    await handler.handle(request({ body: { id: 'chat1', message: userMessage('only') } }));
    expect(chats.received).toMatchObject([{ message: { id: 'msg1', content: 'only' } }]);
  });

  it('refuses a message while another turn runs, unless it is to steer it', async () => {
    const { handler, chats } = place();
    await handler.handle(request({ body: chatBody('one') }));
    const second = (more: object): Request =>
      request({ body: { id: 'chat1', message: userMessage('two', 'msg2'), ...more } });
    const busy = await handler.handle(second({}));
    expect([busy.status, (await errorOf(busy)).code]).toEqual([409, 'CHAT_BUSY']);
    expect((await handler.handle(second({ steer: true }))).status).toBe(200);
    expect(chats.received.at(-1)).toMatchObject({ sendOptions: { steer: true } });
  });

  it('attaches a request that is sent again to the turn of the first, and refuses it once that has ended', async () => {
    const { handler, chats } = place();
    await handler.handle(request({ body: chatBody() }));
    chats.turnOf('chat1')?.write('so far');
    const again = await handler.handle(request({ body: chatBody() }));
    chats.turnOf('chat1')?.end();
    expect(await again.text()).toBe('so far');
    const late = await handler.handle(request({ body: chatBody() }));
    expect([late.status, (await errorOf(late)).code]).toEqual([409, 'ALREADY_SENT']);
  });

  it('asks to try again later when no more sessions fit', async () => {
    const { handler, chats } = place();
    chats.nextStart = { kind: 'full', retryAfterMs: 1500 };
    const response = await handler.handle(request({ body: chatBody() }));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
  });

  it('reports with 202 that a message is accepted whose answer cannot be streamed here', async () => {
    const { handler, chats } = place();
    chats.nextStart = { kind: 'elsewhere' };
    const response = await handler.handle(request({ body: chatBody() }));
    expect([response.status, await response.json()]).toMatchObject([
      202,
      { accepted: true, message: expect.stringContaining('stored'), remedy: expect.stringContaining('messages') },
    ]);
  });

  it('resumes a turn for any number of readers, and answers 204 when none runs', async () => {
    const { handler, chats } = place();
    const resume = (): Promise<Response> => handler.handle(request({ path: '/api/chat/chat1/stream' }));
    expect((await resume()).status).toBe(204);
    await handler.handle(request({ body: chatBody() }));
    const readers = await Promise.all([resume(), resume(), resume()]);
    chats.turnOf('chat1')?.write('all of it');
    chats.turnOf('chat1')?.end();
    expect(await Promise.all(readers.map((each) => each.text()))).toEqual(Array(3).fill('all of it'));
    expect((await resume()).status).toBe(204);
  });

  it('settles an approval with all that a person can answer, and refuses the second answer', async () => {
    const { handler, chats } = place({ permissionModes: ['acceptEdits'] });
    const answer = {
      approved: true,
      reason: 'fine',
      interrupt: false,
      suggestions: [2, 0, 2],
      answers: { 'Which?': 'this', 'Which ones?': ['a', 'b'] },
      plan: 'edited',
      permissionMode: 'acceptEdits',
    };
    const settle = (): Promise<Response> =>
      handler.handle(request({ path: '/api/chat/chat1/approvals/ask-1', body: answer }));
    chats.nextSettlement = { kind: 'settled' };
    expect(await (await settle()).json()).toEqual({ settled: true });
    expect(chats.received.at(-1)?.answer).toEqual({ ...answer, suggestions: [2, 0] });
    chats.nextSettlement = { kind: 'already', state: 'answered' };
    const second = await settle();
    expect([second.status, (await errorOf(second)).code]).toEqual([409, 'ALREADY_SETTLED']);
  });

  it('reports an approval that is not there, and an answer that does not fit', async () => {
    const { handler, chats } = place();
    const { id: question } = chats.hand.ask('chat1', { kind: 'question' });
    const settle = (id: string): Promise<Response> =>
      handler.handle(request({ path: `/api/chat/chat1/approvals/${id}`, body: { approved: true } }));
    const [unknown, unfit] = [await settle('ask-9'), await settle(question)];
    expect([unknown.status, (await errorOf(unknown)).code]).toEqual([404, 'APPROVAL_NOT_FOUND']);
    expect([unfit.status, (await errorOf(unfit)).message]).toEqual([400, 'A question is approved with `answers`.']);
  });

  it('takes answers that `useChat` sends as a message, and continues with the turn that waits', async () => {
    const { handler, chats } = place();
    await handler.handle(request({ body: chatBody() }));
    for (const id of ['ask-1', 'ask-2']) chats.hand.ask('chat1', { id });
    const messages = [userMessage('hello'), assistantMessage([answered('ask-1'), answered('ask-2', false)])];
    const sendAnswers = (): Promise<Response> =>
      handler.handle(request({ body: { id: 'chat1', messages, trigger: 'submit-message', messageId: 'answer' } }));
    const [first, another] = [await sendAnswers(), await sendAnswers()];
    chats.turnOf('chat1')?.write('goes on');
    chats.turnOf('chat1')?.end();
    expect([await first.text(), await another.text()]).toEqual(['goes on', 'goes on']);
    expect(chats.received.flatMap(({ answer }) => (answer === undefined ? [] : [answer])).slice(0, 2)).toEqual([
      { approved: true, reason: 'because' },
      { approved: false, reason: 'because' },
    ]);
  });

  it('answers such a message with an empty stream when the turn has ended meanwhile', async () => {
    const { handler, chats } = place();
    chats.hand.ask('chat1', { id: 'ask-1' });
    const response = await handler.handle(
      request({ body: { id: 'chat1', messages: [assistantMessage([answered('ask-1')])] } }),
    );
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('interrupts a turn, and reports when there was none', async () => {
    const { handler } = place();
    const stop = async (): Promise<unknown> =>
      (await handler.handle(request({ method: 'POST', path: '/api/chat/chat1/interrupt' }))).json();
    const none = await stop();
    await handler.handle(request({ body: chatBody() }));
    expect([none, await stop()]).toEqual([{ interrupted: false }, { interrupted: true }]);
  });

  it('restarts a chat whose message was cut off, or discards that, and reports when there was none', async () => {
    const { handler, chats } = place();
    const post = async (what: string): Promise<unknown> =>
      (await handler.handle(request({ method: 'POST', path: `/api/chat/chat1/${what}` }))).json();
    const none = [await post('restart'), await post('discard')];
    chats.hand.hold('chat1');
    const restarted = await post('restart');
    chats.hand.hold('chat1');
    expect([none, restarted, await post('discard')]).toEqual([
      [{ restarted: false }, { discarded: false }],
      { restarted: true },
      { discarded: true },
    ]);
    expect(chats.received.at(-1)).toEqual({ call: 'discard', chatId: 'chat1', caller: { name: 'local' } });
  });

  it('shows in the list and with the messages that a message was cut off', async () => {
    const { handler, chats } = place();
    await handler.handle(request({ body: chatBody() }));
    chats.turnOf('chat1')?.end();
    chats.hand.hold('chat1');
    const get = async (path: string): Promise<unknown> => (await handler.handle(request({ path }))).json();
    expect(await get('/api/sessions')).toMatchObject({ sessions: [{ id: 'chat1', state: 'held' }] });
    expect(await get('/api/sessions/chat1/messages')).toMatchObject({ state: 'held', isRunning: false });
  });

  it.each([
    ['SESSION_CRASHING', 409, 'CHAT_CRASHED'],
    ['SESSION_HELD', 503, 'CHAT_ELSEWHERE'],
    ['WORKER_UNREACHABLE', 503, 'NO_WORKER'],
    ['HOST_FULL', 503, 'NO_ROOM'],
    ['SESSION_NOT_FOUND', 404, 'CHAT_NOT_FOUND'],
  ] as const)(
    'says what to do where a message is not taken for %s, which is no failure',
    async (cause, status, code) => {
      const { handler, chats, errors } = place();
      chats.failure = new SdkError(cause, 'The session /srv/one is driven by 4711.');
      const response = await handler.handle(request({ body: chatBody() }));
      const { message, ...error } = await errorOf(response);
      expect([response.status, error.code, errors]).toEqual([status, code, []]);
      expect(message).not.toMatch(/srv|4711/);
    },
  );

  it('lists chats by the page, reads the messages of one, and deletes it', async () => {
    const { handler, chats } = place({ limits: { pageSize: 2 } });
    const get = async (path: string): Promise<unknown> => (await handler.handle(request({ path }))).json();
    for (const id of ['a', 'b', 'c']) await handler.handle(request({ body: { ...chatBody(), id } }));
    const ids = (list: unknown): unknown => (list as { sessions: { id: string }[] }).sessions.map(({ id }) => id);
    const [first, second] = [await get('/api/sessions?limit=99'), await get('/api/sessions?limit=2&offset=2')];
    expect([ids(first), ids(second)]).toEqual([['c', 'b'], ['a']]);
    expect([first, second]).toMatchObject([{ hasMore: true }, { hasMore: false }]);
    expect(await get('/api/sessions/a/messages')).toMatchObject({ messages: [{ id: 'msg1' }], isRunning: true });
    const remove = async (): Promise<number> =>
      (await handler.handle(request({ method: 'DELETE', path: '/api/sessions/a' }))).status;
    expect([await remove(), await remove()]).toEqual([204, 404]);
    expect(await errorOf(await handler.handle(request({ path: '/api/sessions/a/messages' })))).toMatchObject({
      code: 'CHAT_NOT_FOUND',
    });
    expect(chats.received.map(({ call }) => call)).not.toContain('stream');
  });

  it('renames a chat that is there, with a title of 1 to 200 characters', async () => {
    const { handler, chats } = place();
    const rename = async (body: object): Promise<readonly unknown[]> => {
      const response = await handler.handle(request({ path: '/api/sessions/chat1/rename', body }));
      return [response.status, await response.json()];
    };
    expect(await rename({ title: 'Slow tests' })).toMatchObject([404, { error: { code: 'CHAT_NOT_FOUND' } }]);
    await handler.handle(request({ body: chatBody() }));
    expect(await rename({ title: ' Slow tests ' })).toEqual([200, { renamed: true }]);
    expect(await chats.hand.list({ limit: 1, offset: 0 }, { name: 'ada' })).toMatchObject([{ title: 'Slow tests' }]);
    for (const body of [{}, { title: ' ' }, { title: 4 }, { title: 'x'.repeat(201) }, { title: 'x', id: 'y' }])
      expect((await rename(body))[0]).toBe(400);
  });

  it('begins no chat with a message that continues one which was deleted', async () => {
    const { handler, chats } = place();
    const send = (): Promise<Response> => handler.handle(request({ body: chatBody('hi', { continues: true }) }));
    expect([(await send()).status, chats.turnOf('chat1')]).toEqual([404, undefined]);
  });

  it('answers an unknown caller how to sign in: by the token, or to the application', async () => {
    const answerOf = async (options: Partial<ChatHandlerOptions>): Promise<[Response, string]> => {
      const response = await place(options).handler.handle(new Request('http://localhost/api/sessions'));
      return [response, await response.text()];
    };
    const [withToken, token] = await answerOf({ token: 'a-token-of-this-test' });
    expect(token).toContain('sent as `authorization: Bearer …`');
    expect([withToken.status, withToken.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    const [withSignIn, signIn] = await answerOf({ identify: () => undefined });
    expect(signIn).toContain('signed in to its application');
    expect([withSignIn.status, withSignIn.headers.get('www-authenticate')]).toEqual([401, null]);
    expect(signIn).not.toContain('Bearer');
  });

  it('answers below its base path, and leaves every other address alone', async () => {
    const { handler } = place({ basePath: '' });
    const { handler: deeper } = place({ basePath: '/agent/v1' });
    expect((await handler.handle(request({ path: '/chat', body: chatBody() }))).status).toBe(200);
    expect((await handler.handle(request({ body: chatBody() }))).status).toBe(404);
    expect((await deeper.handle(request({ path: '/agent/v1/chat', body: chatBody() }))).status).toBe(200);
    expect((await deeper.handle(request({ path: '/agent/v1chat', body: chatBody() }))).status).toBe(404);
  });

  it('passes on the models, modes and commands that its options allow', async () => {
    const { handler, chats } = place({ models: ['haiku'], permissionModes: ['plan'], commands: ['compact'] });
    const response = await handler.handle(
      request({ body: chatBody('/compact now', { model: 'haiku', permissionMode: 'plan' }) }),
    );
    expect(response.status).toBe(200);
    expect(chats.received).toMatchObject([
      { message: { content: '/compact now' }, sendOptions: { model: 'haiku', permissionMode: 'plan' } },
    ]);
  });

  it('turns files into what a model reads: images, PDF, text', async () => {
    const { handler, chats } = place();
    const file = (type: string, bytes: string): object => ({
      type: 'file',
      mediaType: 'claimed/otherwise',
      filename: 'name',
      url: `data:${type};base64,${Buffer.from(bytes).toString('base64')}`,
    });
    const parts = [
      file('image/png', 'png'),
      file('application/pdf', 'pdf'),
      file('text/csv;charset=utf-8', 'a,é'),
      { type: 'text', text: 'see' },
    ];
    await handler.handle(request({ body: { id: 'chat1', message: { id: 'm', role: 'user', parts } } }));
    expect(chats.received[0]?.message?.content).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'cG5n' } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'cGRm' }, title: 'name' },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a,é' }, title: 'name' },
      { type: 'text', text: 'see' },
    ]);
  });

  it('reports to the program what fails behind it, and to the caller only that something did', async () => {
    const { handler, chats, errors } = place();
    const failure = new Error('Could not open /home/somebody/secret.');
    chats.failure = failure;
    const response = await handler.handle(request({ body: chatBody() }));
    expect([response.status, await response.text()]).toEqual([500, expect.not.stringMatching(/secret|\bat /)]);
    expect(errors).toEqual([failure]);
  });

  it('has callers try again while the database is away, and reports it to the program', async () => {
    const { handler, chats, errors } = place();
    const failure = new SdkError('STORE_UNREACHABLE', 'The database at db.example.com could not be reached.');
    chats.failure = failure;
    const response = await handler.handle(request({ body: chatBody() }));
    expect([response.status, response.headers.get('retry-after'), errors]).toEqual([503, '1', [failure]]);
    const { message, ...error } = await errorOf(response);
    expect([error.code, message]).toEqual(['NO_STORE', expect.not.stringContaining('example')]);
  });

  it('sends callers on while the conversations are shut down, which is not a failure', async () => {
    const { handler, chats, errors } = place();
    chats.failure = new SdkError('HOST_CLOSED', 'The session host was closed.');
    const response = await handler.handle(request({ body: chatBody() }));
    expect([response.status, response.headers.get('retry-after'), errors]).toEqual([503, '1', []]);
    expect(await errorOf(response)).toMatchObject({ code: 'CLOSING' });
  });

  it('passes on that a stream broke off', async () => {
    const { handler, chats } = place();
    const turn = new HandTurn();
    chats.nextStart = { kind: 'accepted', stream: turn.read() };
    const response = await handler.handle(request({ body: chatBody() }));
    turn.fail(new Error('gone'));
    await expect(response.text()).rejects.toThrow('gone');
  });
});
