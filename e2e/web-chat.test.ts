import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { validateUIMessages, type DynamicToolUIPart, type UIMessage } from 'ai';
import { storedSessions } from '@hexagent/sdk';
import { createChat } from '@hexagent/sdk/chat';
import { processesMentioning } from '@hexagent/testing/cli';
import { gate, lastUserText, text, toolResults, toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from './support/cli.ts';
import { stage } from './support/stage.ts';
import { afterTool } from './support/tool-calls.ts';
import { chatPlace, textsOf, type ChatPlace } from './web-chat/chat-place.ts';

type Page = ReturnType<ChatPlace['page']>;

const toolPart = ({ messages }: Page): DynamicToolUIPart | undefined =>
  messages.flatMap(({ parts }) => parts).find((part): part is DynamicToolUIPart => part.type === 'dynamic-tool');

/** Resolves with the approval that the page shows. */
async function approvalOn(page: Page): Promise<string> {
  await expect.poll(() => toolPart(page)?.state).toBe('approval-requested');
  return toolPart(page)?.approval?.id ?? '';
}

const settle = (place: ChatPlace, approval: string, body: object): Promise<Response> =>
  place.call(`/chat/chat1/approvals/${approval}`, { body });

const postTo = async (place: ChatPlace, what: string): Promise<unknown> =>
  await (await place.call(`/chat/chat1/${what}`, { method: 'POST' })).json();

/** The state of the chat in the list and with its messages, and whether these say that a turn runs. */
async function stateIn(place: ChatPlace): Promise<unknown> {
  const { sessions } = (await (await place.call('/sessions')).json()) as { sessions: { state: string }[] }; // as README says
  const page = (await (await place.call('/sessions/chat1/messages')).json()) as { state: string; isRunning: boolean };
  return [sessions[0]?.state, page.state, page.isRunning];
}

/** What a part shows: streams know more about how a call came about than what is stored of it. */
function shapeOf(part: UIMessage['parts'][number]): unknown {
  if (part.type === 'text') return [part.type, part.text];
  if (part.type === 'dynamic-tool') return [part.toolName, part.toolCallId, part.state, part.input];
  return part.type;
}

/** What the model reads of the last message, from all of its texts. */
function lastTextsIn({ stage: { loopback } }: ChatPlace): string | undefined {
  const content = loopback.requests.at(-1)?.body.messages.findLast(({ role }) => role === 'user')?.content ?? '';
  if (typeof content === 'string') return content;
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}

const rolesOf = ({ messages }: Page): string[] => messages.map(({ role }) => role);

withCli('#24 #66 A chat page of the AI SDK, with the real CLI behind the handler,', () => {
  it('streams an answer, then another one in the same conversation', async () => {
    await using place = await chatPlace((request) => text([`You said ${lastUserText(request)}`, '.']));
    const page = place.page();
    await page.sendMessage({ text: 'one' });
    await page.sendMessage({ text: 'two' });
    expect([page.status, rolesOf(page)]).toEqual(['ready', ['user', 'assistant', 'user', 'assistant']]);
    expect(page.messages.map(textsOf)).toEqual(['one', 'You said one.', 'two', 'You said two.']);
    expect(place.stage.loopback.requests.length).toBe(2);
    expect(place.errors).toEqual([]);
  });

  it('answers an approval out of band while the turn streams', async () => {
    await using place = await chatPlace(afterTool(() => 'done'));
    const page = place.page();
    const sent = page.sendMessage({ text: 'make it' });
    const approval = await approvalOn(page);
    expect(existsSync(path.join(place.stage.home.cwd, 'made'))).toBe(false);
    expect(await (await settle(place, approval, { approved: true })).json()).toEqual({ settled: true });
    await sent;
    expect(toolPart(page)).toMatchObject({ state: 'output-available', toolName: 'Bash', approval: { approved: true } });
    expect([textsOf(page.messages[1] as UIMessage), existsSync(path.join(place.stage.home.cwd, 'made'))]).toEqual([
      'done',
      true,
    ]);
  });

  it('gives the model no file that a message names with `@`, and shows the message as it was written', async () => {
    await using place = await chatPlace(() => 'ok');
    const { cwd, root } = place.stage.home;
    const outside = path.join(root, 'outside.txt');
    for (const file of [outside, path.join(cwd, 'inside')]) await writeFile(file, 'the secret');
    const texts = [`Read @${outside}`, `@"${outside}", please`, `@inside`, `好。@${outside} ✨`, `@${cwd}/ @`];
    const page = place.page();
    for (const each of texts) await page.sendMessage({ text: each });
    expect(place.stage.loopback.requests.map(({ body }) => JSON.stringify(body).includes('the secret'))).toEqual(
      texts.map(() => false),
    );
    expect(lastTextsIn(place)).toBe(texts.at(-1));
    const stored = (await place.reload('chat1')).messages.filter(({ role }) => role === 'user');
    expect(stored.map(({ parts }) => parts)).toEqual(texts.map((each) => [{ type: 'text', text: each }]));
  });

  it('gives it the file where the program says so', async () => {
    await using place = await chatPlace(() => 'ok', { fileMentions: true });
    const outside = path.join(place.stage.home.root, 'outside.txt');
    await writeFile(outside, 'the secret');
    await place.page().sendMessage({ text: `Read @${outside}` });
    expect(JSON.stringify(place.stage.loopback.requests[0]?.body)).toContain('the secret');
  });

  it('shows a denial with its reason, and refuses the second answer', async () => {
    await using place = await chatPlace(afterTool((request) => toolResults(request)[0]?.text ?? ''));
    const page = place.page();
    const sent = page.sendMessage({ text: 'make it' });
    const approval = await approvalOn(page);
    const answers = await Promise.all([
      settle(place, approval, { approved: false, reason: 'not today' }),
      settle(place, approval, { approved: false, reason: 'not today' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await sent;
    expect(toolPart(page)).toMatchObject({
      state: 'output-denied',
      approval: { approved: false, reason: 'not today' },
    });
    expect(textsOf(page.messages.at(-1) as UIMessage)).toContain('not today');
  });

  it('refuses a second page while a turn runs, whose message is accepted afterwards', async () => {
    const held = gate();
    await using place = await chatPlace((request) =>
      lastUserText(request) === 'one' ? text(['held ', held]) : `fine ${lastUserText(request)}`,
    );
    const [first, second] = [place.page(), place.page()];
    const sent = first.sendMessage({ text: 'one' });
    await expect.poll(() => first.messages.length).toBe(2);
    await second.sendMessage({ text: 'two' });
    expect([second.status, JSON.parse(second.error?.message ?? '{}')]).toMatchObject([
      'error',
      { error: { code: 'CHAT_BUSY' } },
    ]);
    held.open();
    await sent;
    await second.sendMessage({ text: 'three' });
    expect(second.messages.map(textsOf)).toEqual(['two', 'three', 'fine three']);
  });

  it('takes two messages at once for one turn and one refusal', async () => {
    await using place = await chatPlace((request) => `fine ${lastUserText(request)}`);
    const pages = [place.page(), place.page(), place.page()];
    await Promise.all(pages.map((page, index) => page.sendMessage({ text: `message ${index}` })));
    expect(pages.map(({ status }) => status).toSorted()).toEqual(['error', 'error', 'ready']);
    expect(place.stage.loopback.requests.length).toBe(1);
  });

  it('is reloaded in the middle of a stream and shows the answer once, from its beginning', async () => {
    const held = gate();
    await using place = await chatPlace((request) =>
      lastUserText(request) === 'before' ? 'earlier' : text(['first half, ', held, 'second half']),
    );
    const page = place.page();
    await page.sendMessage({ text: 'before' });
    const sent = page.sendMessage({ text: 'now' });
    await expect.poll(() => textsOf(page.messages.at(-1) as UIMessage)).toContain('first');
    const again = await place.reload('chat1');
    expect(rolesOf(again)).toEqual(['user', 'assistant', 'user']);
    const resumed = again.resumeStream();
    await expect.poll(() => textsOf(again.messages.at(-1) as UIMessage)).toContain('first');
    held.open();
    await Promise.all([sent, resumed]);
    for (const each of [page, again])
      expect([rolesOf(each), textsOf(each.messages.at(-1) as UIMessage)]).toEqual([
        ['user', 'assistant', 'user', 'assistant'],
        'first half, second half',
      ]);
    expect(again.messages.at(-1)?.id).toBe(page.messages.at(-1)?.id);
  });

  it('is reloaded while an approval waits, shows it once, and answers it', async () => {
    await using place = await chatPlace(afterTool(() => 'done'));
    const page = place.page();
    const sent = page.sendMessage({ text: 'make it' });
    const approval = await approvalOn(page);
    const again = await place.reload('chat1');
    const resumed = again.resumeStream();
    expect(await approvalOn(again)).toBe(approval);
    expect(rolesOf(again)).toEqual(['user', 'assistant']);
    await settle(place, approval, { approved: true });
    await Promise.all([sent, resumed]);
    for (const each of [page, again])
      expect([rolesOf(each), toolPart(each)?.state, textsOf(each.messages.at(-1) as UIMessage)]).toEqual([
        ['user', 'assistant'],
        'output-available',
        'done',
      ]);
  });

  it('finds nothing to resume when no turn runs', async () => {
    await using place = await chatPlace(['hello']);
    const page = place.page();
    await page.resumeStream();
    await page.sendMessage({ text: 'hi' });
    await page.resumeStream();
    expect([page.status, rolesOf(page)]).toEqual(['ready', ['user', 'assistant']]);
    expect((await place.call('/chat/chat1/stream')).status).toBe(204);
  });

  it('shows the answer of a turn that ends between its requests for the history and for the stream', async () => {
    const held = gate();
    await using place = await chatPlace(() => text(['first half, ', held, 'second half']));
    const first = place.page();
    const sent = first.sendMessage({ text: 'now' });
    await expect.poll(() => textsOf(first.messages.at(-1) as UIMessage)).toContain('first');
    const page = await place.reload('chat1');
    expect(rolesOf(page)).toEqual(['user']);
    held.open();
    await sent;
    // The list and the history say so as soon as the stream has.
    expect(await stateIn(place)).toEqual(['idle', 'idle', false]);
    await page.resumeStream();
    expect([page.status, page.messages.map(textsOf)]).toEqual(['ready', ['now', 'first half, second half']]);
    const later = await place.reload('chat1');
    await later.resumeStream();
    expect(later.messages.map(textsOf)).toEqual(['now', 'first half, second half']);
    expect((await place.call('/chat/chat1/stream')).status).toBe(204);
  });

  it('leaves a turn running when it goes away, and finds it when it comes back', async () => {
    const held = gate();
    await using place = await chatPlace(() => text(['first half, ', held, 'second half']));
    const page = place.page();
    const sent = page.sendMessage({ text: 'now' });
    await expect.poll(() => textsOf(page.messages.at(-1) as UIMessage)).toContain('first');
    await page.stop();
    await sent;
    const [listed] = ((await (await place.call('/sessions')).json()) as { sessions: { state: string }[] }).sessions;
    expect(listed).toMatchObject({ id: 'chat1', state: 'running' });
    const again = await place.reload('chat1');
    const resumed = again.resumeStream();
    held.open();
    await resumed;
    expect(textsOf(again.messages.at(-1) as UIMessage)).toBe('first half, second half');
  });

  it('stops a turn in the middle of a text, and goes on afterwards', async () => {
    await using place = await chatPlace((request) =>
      lastUserText(request) === 'stop me' ? text(['words and ', gate()]) : 'next',
    );
    const page = place.page();
    const sent = page.sendMessage({ text: 'stop me' });
    await expect.poll(() => textsOf(page.messages.at(-1) as UIMessage)).toContain('words');
    expect(await (await place.call('/chat/chat1/interrupt', { method: 'POST' })).json()).toEqual({ interrupted: true });
    await sent;
    expect([page.status, textsOf(page.messages.at(-1) as UIMessage)]).toEqual(['ready', 'words and ']);
    await page.sendMessage({ text: 'on' });
    expect(textsOf(page.messages.at(-1) as UIMessage)).toBe('next');
    expect(await (await place.call('/chat/chat1/interrupt', { method: 'POST' })).json()).toEqual({
      interrupted: false,
    });
  });

  it('stops a turn while an approval waits, which then cannot be answered, and nothing has run', async () => {
    await using place = await chatPlace(afterTool(() => 'done'));
    const page = place.page();
    const sent = page.sendMessage({ text: 'make it' });
    const approval = await approvalOn(page);
    await place.call('/chat/chat1/interrupt', { method: 'POST' });
    await sent;
    expect((await settle(place, approval, { approved: true })).status).toBe(409);
    expect(toolPart(page)?.state).not.toBe('approval-requested');
    expect(existsSync(path.join(place.stage.home.cwd, 'made'))).toBe(false);
  });

  it('takes a message back whose agent is still being started', async () => {
    const opened = Promise.withResolvers<void>();
    await using place = await chatPlace(['never']);
    await using slow = createChat({
      folder: false,
      session: async () => {
        await opened.promise;
        return place.stage.options;
      },
    });
    const body = { id: 'chat1', message: { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'hi' }] } };
    const post = (path: string, sent?: object): Request =>
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        ...(sent && { body: JSON.stringify(sent) }),
      });
    const response = await slow.handle(post('/api/chat', body));
    expect(await (await slow.handle(post('/api/chat/chat1/interrupt'))).json()).toEqual({ interrupted: true });
    opened.resolve();
    expect(await response.text()).toContain('"abort"');
    expect(place.stage.loopback.requests).toEqual([]);
  });

  it('steers a turn that runs, which takes the message up', async () => {
    await using place = await chatPlace((request) => {
      if (JSON.stringify(request.body).includes('rather blue')) return 'blue then';
      return toolResults(request).length === 0 ? toolUse('Bash', { command: 'touch made' }) : 'red';
    });
    const page = place.page();
    const sent = page.sendMessage({ text: 'paint' });
    const approval = await approvalOn(page);
    const message = { id: 'steering', role: 'user', parts: [{ type: 'text', text: 'rather blue' }] };
    const steered = await place.call('/chat', { body: { id: 'chat1', message, steer: true } });
    expect(steered.status).toBe(200);
    await settle(place, approval, { approved: true });
    await Promise.all([sent, steered.text()]);
    await expect.poll(async () => JSON.stringify((await place.reload('chat1')).messages)).toContain('blue then');
  });

  it('runs a message once that is sent again while it runs and afterwards', async () => {
    const held = gate();
    await using place = await chatPlace(() => text(['once ', held]));
    const page = place.page();
    const message = { id: 'same', role: 'user' as const, parts: [{ type: 'text' as const, text: 'hi' }] };
    const sent = page.sendMessage(message);
    await expect.poll(() => page.messages.length).toBe(2);
    const again = await place.call('/chat', { body: { id: 'chat1', message } });
    expect(again.status).toBe(200);
    held.open();
    await sent;
    expect(await again.text()).toContain('once ');
    expect((await place.call('/chat', { body: { id: 'chat1', message } })).status).toBe(409);
    expect(place.stage.loopback.requests.length).toBe(1);
  });

  it('answers questions, and revises and approves a plan', async () => {
    const questions = [
      {
        question: 'Which colour?',
        header: 'Colour',
        multiSelect: false,
        options: [
          { label: 'Red', description: 'warm' },
          { label: 'Blue', description: 'cold' },
        ],
      },
    ];
    await using place = await chatPlace((request) => {
      const results = toolResults(request);
      return results.length === 0 ? toolUse('AskUserQuestion', { questions }) : `heard: ${results[0]?.text}`;
    });
    const page = place.page();
    const sent = page.sendMessage({ text: 'ask me' });
    const approval = await approvalOn(page);
    const wrong = [
      await settle(place, approval, { approved: true }),
      await settle(place, approval, { approved: true, plan: 'x' }),
      await settle(place, approval, { approved: true, answers: { 'Which size?': 'L' } }),
    ];
    expect(wrong.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect((await settle(place, approval, { approved: true, answers: { 'Which colour?': ['Blue'] } })).status).toBe(
      200,
    );
    await sent;
    expect(textsOf(page.messages.at(-1) as UIMessage)).toMatch(/heard: .*Blue/s);
  });

  it('is not let into a mode by a suggestion that it could not have asked for', async () => {
    await using place = await chatPlace(afterTool(() => 'done'));
    const page = place.page();
    const sent = page.sendMessage({ text: 'make it' });
    const approval = await approvalOn(page);
    const record = await place.chat.approvals.get(approval);
    const modes = record?.suggestions.flatMap(({ type }, index) => (type === 'setMode' ? [index] : [])) ?? [];
    expect(modes).not.toEqual([]);
    const refused = await settle(place, approval, { approved: true, suggestions: modes });
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { message: /acceptEdits/ } }]);
    await settle(place, approval, { approved: true });
    await sent;
  });

  it('keeps the chats and approvals of tenants apart, also where they have the same id', async () => {
    await using place = await chatPlace(
      afterTool(() => 'done'),
      {
        identify: ({ headers }) => ({ name: 'somebody', tenant: headers.get('x-tenant') ?? 'none' }),
      },
    );
    const as =
      (tenant: string) =>
      (path: string, body?: object): Promise<Response> =>
        fetch(`${place.url}${path}`, {
          method: body === undefined ? 'GET' : 'POST',
          headers: { 'content-type': 'application/json', 'x-tenant': tenant },
          ...(body && { body: JSON.stringify(body) }),
        });
    const [own, other] = [as('a'), as('b')];
    const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'make it' }] };
    const response = await own('/chat', { id: 'chat1', message });
    await expect.poll(async () => (await place.chat.approvals.list({ state: 'open' })).length).toBe(1);
    const [record] = await place.chat.approvals.list({ state: 'open' });
    const answer = { approved: true };
    expect((await other(`/chat/chat1/approvals/${record?.id}`, answer)).status).toBe(404);
    expect((await other('/chat/chat1/stream')).status).toBe(204);
    expect((await other('/sessions/chat1/messages')).status).toBe(404);
    expect(await (await other('/sessions')).json()).toEqual({ sessions: [], hasMore: false });
    expect(await (await own('/sessions')).json()).toMatchObject({
      sessions: [{ id: 'chat1', state: 'awaiting-approval' }],
    });
    expect((await own(`/chat/chat1/approvals/${record?.id}`, answer)).status).toBe(200);
    expect(await response.text()).toContain('done');
    expect((await place.chat.approvals.get(record?.id ?? ''))?.actor).toBe('somebody');
  });

  it('chooses a model of the list for the messages from then on', async () => {
    await using place = await chatPlace((request) => `by ${request.body.model}`, {
      models: ['claude-haiku-5-5'],
    });
    const page = place.page();
    await page.sendMessage({ text: 'one' });
    await page.sendMessage({ text: 'two' }, { body: { model: 'claude-haiku-5-5' } });
    await page.sendMessage({ text: 'three' });
    const [first, second, third] = page.messages.filter(({ role }) => role === 'assistant').map(textsOf);
    expect([first === second, second, third]).toEqual([false, 'by claude-haiku-5-5', 'by claude-haiku-5-5']);
    await page.sendMessage({ text: 'four' }, { body: { model: 'claude-opus-4-1' } });
    expect(JSON.parse(page.error?.message ?? '{}')).toMatchObject({ error: { code: 'NOT_ALLOWED' } });
  });

  it('has a history that is what was streamed, with the same ids of answers', async () => {
    await using place = await chatPlace((request) => {
      const asked = lastUserText(request);
      if (asked !== 'tools') return text(['an ', 'answer']);
      return toolResults(request).length === 0
        ? [text('before'), toolUse('Bash', { command: 'echo one' }), toolUse('Glob', { pattern: '*.none' })]
        : text(['and ', 'after']);
    });
    const page = place.page();
    await page.sendMessage({ text: 'hello' });
    await page.sendMessage({ text: 'tools' });
    await page.sendMessage({ text: 'bye' });
    const { messages: stored } = await place.reload('chat1');
    const shapes = (messages: readonly UIMessage[]): unknown =>
      messages.map(({ id, role, parts }) => ({ role, parts: parts.map(shapeOf), ...(role === 'assistant' && { id }) }));
    expect(shapes(stored)).toEqual(shapes(page.messages));
    await validateUIMessages({ messages: stored });
    const half = (await (await place.call('/sessions/chat1/messages?limit=2')).json()) as { messages: UIMessage[] };
    expect(half).toMatchObject({ hasEarlier: true, isRunning: false });
    expect(half.messages.map(({ id }) => id)).toEqual(stored.slice(-2).map(({ id }) => id));
    const before = await place.call(`/sessions/chat1/messages?limit=9&before=${half.messages[0]?.id}`);
    expect(await before.json()).toMatchObject({
      hasEarlier: false,
      messages: stored.slice(0, -2).map(({ id }) => ({ id })),
    });
  });

  it('is deleted with what the agent stored, also while a turn runs', async () => {
    await using place = await chatPlace((request) =>
      lastUserText(request) === 'hold' ? text(['held ', gate()]) : 'fine',
    );
    const page = place.page();
    await page.sendMessage({ text: 'one' });
    const stored = storedSessions({ configDir: path.join(place.stage.home.home, '.claude') });
    expect(await stored.list()).toHaveLength(1);
    const sent = page.sendMessage({ text: 'hold' });
    await expect.poll(() => page.messages.length).toBe(4);
    expect((await place.call('/sessions/chat1', { method: 'DELETE' })).status).toBe(204);
    await sent;
    expect(await stored.list()).toEqual([]);
    expect((await place.call('/sessions/chat1/messages')).status).toBe(404);
    expect((await place.call('/sessions/chat1', { method: 'DELETE' })).status).toBe(404);
  });

  it('answers with 503 once it is closed, also where it keeps files', async () => {
    await using place = await stage(() => 'ok');
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const chat = createChat({ session: place.options, folder: path.join(place.home.root, 'chats'), onError });
    const list = (): Promise<Response> => chat.handle(new Request('http://localhost/api/sessions'));
    expect((await list()).status).toBe(200);
    await chat.close();
    const response = await list();
    expect([response.status, await response.json()]).toMatchObject([503, { error: { code: 'CLOSING' } }]);
    expect(errors).toEqual([]);
  });

  it('answers where its folder is a file and what receives errors throws, and never rejects', async () => {
    await using place = await stage(() => 'ok');
    const folder = path.join(place.home.root, 'file');
    await writeFile(folder, '');
    const errors: unknown[] = [];
    const onError = (error: unknown): never => {
      errors.push(error);
      throw new Error('The log is full.');
    };
    const chat = createChat({ session: place.options, folder, onError });
    const response = await chat.handle(new Request('http://localhost/api/sessions'));
    expect([response.status, errors]).toMatchObject([500, [{ code: 'STORE_FAILED' }, { code: 'STORE_FAILED' }]]);
    await chat.close();
  });

  it('shows that the agent has gone, and goes on when it is sent the same message again', async () => {
    let isFirst = true;
    await using place = await chatPlace(() => {
      const held = isFirst ? gate() : undefined;
      isFirst = false;
      return text(held === undefined ? ['whole'] : ['half ', held]);
    });
    const page = place.page();
    const message = { id: 'same', role: 'user' as const, parts: [{ type: 'text' as const, text: 'hi' }] };
    const sent = page.sendMessage(message);
    await expect.poll(() => textsOf(page.messages.at(-1) as UIMessage)).toContain('half');
    killAgentsOf(place);
    await sent;
    expect([page.status, page.error?.message]).toEqual(['error', expect.stringMatching(/agent has gone/)]);
    const again = await place.call('/chat', { body: { id: 'chat1', message } });
    expect([again.status, await again.text()]).toEqual([200, expect.stringContaining('whole')]);
    expect(rolesOf(await place.reload('chat1')).filter((role) => role === 'user')).toHaveLength(1);
    expect(place.errors).toMatchObject([{ code: 'AGENT_EXITED' }]);
  });

  it('goes on with what was cut off when a person restarts the chat, and shows until then that it is held', async () => {
    let isFirst = true;
    await using place = await chatPlace(() => {
      const held = isFirst ? gate() : undefined;
      isFirst = false;
      return text(held === undefined ? ['whole'] : ['half ', held]);
    });
    const page = place.page();
    const sent = page.sendMessage({ text: 'hi' });
    await expect.poll(() => textsOf(page.messages.at(-1) as UIMessage)).toContain('half');
    expect(await postTo(place, 'restart')).toEqual({ restarted: false });
    killAgentsOf(place);
    await sent;
    await expect.poll(() => stateIn(place)).toEqual(['held', 'held', false]);
    expect(await postTo(place, 'restart')).toEqual({ restarted: true });
    expect(await stateIn(place)).toEqual(['running', 'running', true]);
    const again = await place.reload('chat1');
    await again.resumeStream();
    expect(again.messages.map(textsOf)).toEqual(['hi', 'whole']);
    await expect.poll(() => stateIn(place)).toEqual(['idle', 'idle', false]);
    expect(await postTo(place, 'restart')).toEqual({ restarted: false });
  });

  it('gives up what was cut off when a person discards it', async () => {
    await using place = await chatPlace((request) =>
      lastUserText(request) === 'hi' ? text(['half ', gate()]) : `to ${lastUserText(request)}`,
    );
    const page = place.page();
    const sent = page.sendMessage({ text: 'hi' });
    await expect.poll(() => textsOf(page.messages.at(-1) as UIMessage)).toContain('half');
    killAgentsOf(place);
    await sent;
    await expect.poll(() => stateIn(place)).toEqual(['held', 'held', false]);
    expect([await postTo(place, 'discard'), await postTo(place, 'discard')]).toEqual([
      { discarded: true },
      { discarded: false },
    ]);
    expect(await stateIn(place)).toEqual(['idle', 'idle', false]);
    expect(place.stage.loopback.requests).toHaveLength(1);
    const next = await place.reload('chat1');
    await next.sendMessage({ text: 'another' });
    expect(textsOf(next.messages.at(-1) as UIMessage)).toBe('to another');
  });

  it('is told why it takes no message after too many crashes, and can be restarted', async () => {
    const broken = { executable: '/nonexistent/claude' };
    let isBroken = true;
    await using place = await chatPlace(() => 'well again');
    const { options, home } = place.stage;
    const session = (): object => ({ ...options, ...(isBroken && broken) });
    await using chat = createChat({
      session,
      folder: path.join(home.root, 'crashing'),
      hosting: { crashes: { firstDelayMs: 1, maxCrashes: 2 } },
      onError: () => {},
    });
    const call = async (address: string, body?: object): Promise<Response> =>
      await chat.handle(
        new Request(`http://localhost/api${address}`, {
          ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        }),
      );
    const say = (id: string): Promise<Response> =>
      call('/chat', { id: 'chat1', message: { id, role: 'user', parts: [{ type: 'text', text: id }] } });
    const ended = await (await say('one')).text();
    expect(ended).toContain('AGENT_NOT_FOUND');
    expect(await (await call('/sessions')).json()).toMatchObject({ sessions: [{ state: 'crashed' }] });
    const refused = await say('two');
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { error: { code: 'CHAT_CRASHED', remedy: expect.stringContaining('restart') } },
    ]);
    isBroken = false;
    expect(await (await call('/chat/chat1/restart', {})).json()).toEqual({ restarted: true });
    expect(await (await call('/chat/chat1/stream')).text()).toContain('well again');
    await expect
      .poll(async () => await (await call('/sessions')).json())
      .toMatchObject({ sessions: [{ state: 'idle' }] });
  });

  it('is answered when it sends another message after its agent has gone, and so is what was cut off', async () => {
    let count = 0;
    await using place = await chatPlace((request) => {
      count += 1;
      return count === 1 ? text(['half ', gate()]) : `to ${lastUserText(request)}`;
    });
    const page = place.page();
    const sent = page.sendMessage({ text: 'first' });
    await expect.poll(() => textsOf(page.messages.at(-1) as UIMessage)).toContain('half');
    killAgentsOf(place);
    await sent;
    const reloaded = await place.reload('chat1');
    await reloaded.sendMessage({ text: 'second' });
    expect([reloaded.status, textsOf(reloaded.messages.at(-1) as UIMessage)]).toEqual(['ready', 'to second']);
    const users = (await place.reload('chat1')).messages.filter(({ role }) => role === 'user');
    expect(users.map(textsOf)).toEqual(['first', 'second']);
  });
});

/** Ends the agents of a place as the system would that has no memory left. */
function killAgentsOf(place: ChatPlace): void {
  const agents = processesMentioning(place.stage.home.root);
  expect(agents).not.toEqual([]);
  for (const { pid } of agents) process.kill(pid, 'SIGKILL');
}
