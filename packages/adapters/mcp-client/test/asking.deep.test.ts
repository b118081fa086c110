import type { ElicitationRequest, Elicitor, InteractionContext } from '@hexagent/ports';
import { describe, expect, it, vi } from 'vitest';
import { external } from '../src/index.ts';
import { hello, notes, openSession } from './dialling.ts';
import { notesHandler, reach } from './web.ts';

vi.setConfig({ testTimeout: 60_000 }); // a bound for real processes on a busy machine, never waited for

const form = {
  message: 'Which colour?',
  requestedSchema: { type: 'object', properties: { colour: { type: 'string' } } },
};

type Answer = (request: ElicitationRequest, context: InteractionContext) => unknown;

/** The answer to the server when it asks a person, and the warnings of the program. */
/** An elicitor that never answers, and promises for its call and for its signal. */
function waitingElicitor(): { elicitor: Elicitor; asked: Promise<void>; aborted: Promise<void> } {
  const asked = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const elicit = async (_: ElicitationRequest, { signal }: InteractionContext): Promise<null> => {
    signal.addEventListener('abort', () => aborted.resolve());
    asked.resolve();
    return await new Promise<null>(() => {});
  };
  return { elicitor: { elicit }, asked: asked.promise, aborted: aborted.promise };
}

async function elicited(elicit: Answer): Promise<{ answer: unknown; notices: string[] }> {
  await using dialled = await notes([], { elicitor: { elicit: elicit as never } });
  const { call, notices, ask } = openSession(dialled.server);
  await ask('initialize', hello);
  return { answer: JSON.parse(await call('elicit', { params: form })), notices };
}

describe('A server that asks a person', () => {
  it('is answered by the elicitor of the program', async () => {
    const asked: unknown[] = [];
    const { answer } = await elicited((request, { requestId, signal }) => {
      asked.push(request, typeof requestId, signal.aborted);
      return { action: 'accept', content: { colour: 'blue' } };
    });
    expect(answer).toEqual({ action: 'accept', content: { colour: 'blue' } });
    expect(asked).toEqual([
      { mcp_server_name: 'notes', message: 'Which colour?', mode: 'form', requested_schema: form.requestedSchema },
      'string',
      false,
    ]);
  });

  it('is answered over HTTP as well, and may send a person to a page', async () => {
    const asked: ElicitationRequest[] = [];
    const elicitor = {
      elicit: async (request: ElicitationRequest) => (asked.push(request), { action: 'accept' } as const),
    };
    await using reached = await reach(notesHandler(), { elicitor });
    const params = { mode: 'url', message: 'Sign in', url: 'https://127.0.0.1/in', elicitationId: 'e1' };
    expect(await openSession(reached.server).call('elicit', { params })).toBe('{"action":"accept"}');
    expect(asked).toEqual([
      { mcp_server_name: 'notes', message: 'Sign in', mode: 'url', url: 'https://127.0.0.1/in', elicitation_id: 'e1' },
    ]);
  });

  it('receives what it may ask', async () => {
    const elicitor = { elicit: async () => null };
    const sampler = { sample: async () => ({}) };
    await using dialled = await notes([], { elicitor, sampler });
    const { ask, call } = openSession(dialled.server);
    await ask('initialize', hello);
    expect(JSON.parse(await call('look'))).toHaveProperty('introduction.capabilities', {
      elicitation: { form: {}, url: {} },
      sampling: {},
    });
  });

  it.each<[string, Answer]>([
    ['null, since nobody else answers', () => null],
    ['an unknown action', () => ({ action: 'yes', content: { colour: 'blue' } })],
    ['content that is none', () => ({ action: 'accept', content: 'blue' })],
    ['what JSON cannot carry', () => ({ action: 'accept', content: { colour: 5n } })],
    ['a rejection', () => Promise.reject(new Error('out of ink'))],
  ])('receives a cancellation when the elicitor gives %s, and the program a warning', async (_, elicit) => {
    const { answer, notices } = await elicited(elicit);
    expect(answer).toEqual({ action: 'cancel' });
    expect(notices).toEqual([expect.stringContaining('The elicitor of the MCP server notes ')]);
  });

  it('is refused clearly when there is no elicitor and no sampler', async () => {
    await using dialled = await notes();
    const { call } = openSession(dialled.server);
    expect(await call('elicit', { params: form })).toContain(
      'does not offer elicitation/create: external() was given no `elicitor`',
    );
    expect(await call('sample', { params: { messages: [], maxTokens: 5 } })).toContain(
      'external() was given no `sampler`',
    );
  });

  it('and withdraws its question aborts the signal', async () => {
    const { elicitor, asked, aborted } = waitingElicitor();
    await using dialled = await notes([], { elicitor });
    const withdrawal = new AbortController();
    const answer = openSession(dialled.server).ask(
      'tools/call',
      { name: 'elicit', arguments: { params: form } },
      { signal: withdrawal.signal },
    );
    await asked;
    withdrawal.abort();
    await answer;
    await aborted;
  });

  it('and ends meanwhile aborts the signal', async () => {
    const { elicitor, asked, aborted } = waitingElicitor();
    await using dialled = await notes([], { elicitor, reconnect: false });
    const answer = openSession(dialled.server).ask('tools/call', { name: 'elicit', arguments: { params: form } });
    await asked;
    for (const pid of await dialled.pids()) process.kill(pid, 'SIGKILL');
    expect(await answer).toHaveProperty('error.code', -32000);
    await aborted;
  });
});

describe('A server that asks a model', () => {
  const params = { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }], maxTokens: 5 };

  it('is answered by the sampler of the program', async () => {
    const asked: unknown[] = [];
    const reply = { role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'made-up' };
    const sampler = { sample: async (request: object) => (asked.push(request), reply) };
    await using dialled = await notes([], { sampler });
    expect(JSON.parse(await openSession(dialled.server).call('sample', { params }))).toEqual(reply);
    expect(asked).toEqual([params]);
  });

  it.each<[string, () => unknown]>([
    [
      'fails',
      () => {
        throw new Error('out of ink');
      },
    ],
    ['answers with nothing', () => {}],
    ['answers with what JSON cannot carry', () => ({ role: 5n })],
  ])('receives an error when the sampler %s', async (_, sample) => {
    await using dialled = await notes([], { sampler: { sample: sample as never } });
    const { call, notices } = openSession(dialled.server);
    expect(await call('sample', { params })).toContain('The sampler failed: ');
    expect(notices).toEqual([expect.stringContaining('The sampler of the MCP server notes failed: ')]);
  });

  it.each<[string, object]>([
    ['`external(notes).elicitor` must be an object with the method elicit', { elicitor: () => {} }],
    ['`external(notes).sampler` must be an object with the method sample', { sampler: { elicit: () => {} } }],
  ])('is not left to what cannot answer: %s', (message, options) => {
    expect(() => external({ name: 'notes', command: 'x', ...options })).toThrow(message);
  });
});
