import { describe, expect, it } from 'vitest';
import {
  controlRequest,
  controlResponse,
  finishTurn,
  initMessage,
  obliging,
  resultMessage,
  subtypeOf,
} from './behaviours.ts';
import { compare, type Place, type Program, type Sdk } from './run.ts';
import type { Behaviour, WireFrame } from './stand-in.ts';

// Differences that the page of differences lists, each as both packages behave.

const hello: Program = ({ query }, { options }) => query({ prompt: 'hello', options });

/** Asks something of the program in the turn, and ends the turn when it is answered. */
const asking =
  (request: WireFrame): Behaviour =>
  (agent) => {
    obliging({ message: () => (agent.write(controlRequest('asked', request)), true) })(agent);
    agent.listen({ frame: ({ type }) => type === 'control_response' && finishTurn(agent) });
  };

describe('A line that begins with a byte order mark', () => {
  it('is read, where the official package skips it', async () => {
    const standIn = obliging({
      message: (_, agent) => {
        agent.write(`\ufeff${JSON.stringify(initMessage())}\n`);
        agent.write(resultMessage());
        return true;
      },
    });
    const { official, ours } = await compare(hello, { standIn });
    expect(official.messages.map(({ type }) => type)).toEqual(['result']);
    expect(ours.messages.map(({ type }) => type)).toEqual(['system', 'result']);
  });
});

describe('An answer of the agent without a payload', () => {
  it('is an empty object, where the official package gives undefined', async () => {
    const program: Program = async ({ query }, { options, note }) => {
      const running = query({ prompt: 'hello', options });
      note('file', await running.readFile('a.txt'));
      return running;
    };
    const standIn = obliging({
      request: (frame, agent) => {
        if (subtypeOf(frame) !== 'read_file') return undefined;
        const { response } = controlResponse(frame, {}) as { readonly response: WireFrame };
        agent.write({ type: 'control_response', response: { ...response, response: undefined } });
        return null;
      },
    });
    const { official, ours } = await compare(program, { standIn });
    expect([official.notes, ours.notes]).toEqual([{ file: undefined }, { file: {} }]);
  });
});

describe('A permission request without an input', () => {
  it('is refused, where the official package calls the callback with undefined', async () => {
    const program: Program = ({ query }, { options, note }) => {
      const canUseTool = async (tool: string) => (note('asked', tool), { behavior: 'deny' as const, message: 'No.' });
      return query({ prompt: 'hello', options: { ...options, canUseTool } });
    };
    const standIn = asking({ subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: 'toolu_1' });
    const { official, ours } = await compare(program, { standIn });
    expect([official.notes, ours.notes]).toEqual([{ asked: 'Bash' }, {}]);
    expect(JSON.stringify(ours.launches[0]?.stdin)).toContain('can_use_tool needs');
  });
});

describe('The fields of a query, and `this` in a callback', () => {
  it('are not those that the official package uses inside', async () => {
    const program: Program = ({ query }, { options, note }) => {
      async function canUseTool(this: unknown) {
        note('this', this === undefined);
        return { behavior: 'deny' as const, message: 'No.' };
      }
      const running = query({ prompt: 'hello', options: { ...options, canUseTool } });
      note('fields', Object.keys(running).includes('transport'));
      return running;
    };
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: 'toolu_1', input: {} };
    const { official, ours } = await compare(program, { standIn: asking(request) });
    expect(official.notes).toEqual({ this: false, fields: true });
    expect(ours.notes).toEqual({ this: true, fields: false });
  });
});

describe('The iterator of a prompt', () => {
  it('is asked once the agent is started, and left at the end, where the official package asks at once and leaves none', async () => {
    const steps = { query: 'query', next: 'next', return: 'return' };
    const program = async ({ query }: Sdk, { options, note }: Place): Promise<void> => {
      const seen: string[] = [];
      const message = {
        type: 'user' as const,
        message: { role: 'user' as const, content: 'x' },
        parent_tool_use_id: null,
      };
      let isFirst = true;
      const prompt = {
        [Symbol.asyncIterator]: () => ({
          next: () => {
            seen.push(steps.next);
            const step = isFirst
              ? Promise.resolve({ done: false as const, value: message })
              : new Promise<never>(() => {});
            isFirst = false;
            return step;
          },
          return: async () => (seen.push(steps.return), { done: true as const, value: undefined }),
        }),
      };
      const running = query({ prompt, options });
      seen.push(steps.query);
      for await (const { type } of running) if (type === 'result') break;
      note('seen', seen);
    };
    const { official, ours } = await compare(program);
    expect(official.notes['seen']).toEqual([steps.next, steps.query, steps.next]);
    expect(ours.notes['seen']).toEqual([steps.query, steps.next, steps.next, steps.return]);
  });
});

/** As a program without types passes anything. */
type Shape = Parameters<Sdk['tool']>[2];

describe('A tool with a JSON Schema in place of a shape', () => {
  it('is served, where the official package throws', async () => {
    const program = ({ createSdkMcpServer, tool }: Sdk, { note }: Place): void => {
      const schema: object = { type: 'object', properties: { a: { type: 'string' } } };
      try {
        createSdkMcpServer({
          name: 'mine',
          tools: [tool('one', 'Takes some.', schema as Shape, async () => ({ content: [] }))],
        });
        note('made', true);
      } catch (error) {
        note('made', error instanceof Error);
        note('threw', true);
      }
    };
    const { official, ours } = await compare(program);
    expect([official.notes, ours.notes]).toEqual([{ made: true, threw: true }, { made: true }]);
  });
});
