import { describe, expect, it } from 'vitest';
import {
  controlResponse,
  finishTurn,
  initMessage,
  obliging,
  resultMessage,
  stateMessage,
  subtypeOf,
} from './behaviours.ts';
import { compare, type Program } from './run.ts';
import type { Agent, Behaviour } from './stand-in.ts';

/** Begins a turn and ends it when the program has sent all its requests. */
const untilAsked = (subtype: string, change: Parameters<typeof obliging>[0] = {}): Behaviour =>
  obliging({
    ...change,
    message: (_, agent) => {
      agent.write(initMessage());
      agent.listen({
        frame: (frame) => {
          if (subtypeOf(frame) === subtype) finishTurn(agent);
        },
      });
      return true;
    },
  });

describe('A request that the agent refuses', () => {
  it.each([
    ['with a code', { error: 'No such mode.', error_code: 'invalid_mode' }],
    ['without a code', { error: 'No such mode.' }],
  ])("%s fails with the agent's own text", async (_, refusal) => {
    const program: Program = async ({ query }, { options, note }) => {
      const running = query({ prompt: 'hello', options });
      const failure: unknown = await running.setPermissionMode('plan').catch((error: unknown) => error);
      const { message, errorCode } = failure as Error & { errorCode?: unknown };
      note('failure', { message, errorCode });
      return running;
    };
    const standIn = obliging({
      request: (request, agent) => {
        if (subtypeOf(request) !== 'set_permission_mode') return undefined;
        const { request_id } = request;
        agent.write({ type: 'control_response', response: { subtype: 'error', request_id, ...refusal } });
        return null;
      },
    });
    const { official, ours } = await compare(program, { standIn });
    expect(official.notes['failure']).toMatchObject({ message: 'No such mode.' });
    expect(ours.notes).toEqual(official.notes);
  });
});

describe('supportedCommands()', () => {
  it('gives the latest list, also to who has not read that it changed', async () => {
    const commands = [{ name: 'later', description: 'Added later', argumentHint: '' }];
    const program: Program = async ({ query }, { options, note }) => {
      const running = query({ prompt: 'hello', options });
      // Answered after the list has changed.
      await running.mcpServerStatus();
      note('commands', await running.supportedCommands());
      note('introduction', (await running.initializationResult()).commands);
      await running.setModel('some');
      return running;
    };
    const standIn: Behaviour = (agent) => {
      untilAsked('set_model', {
        introduction: { commands: [{ name: 'first', description: 'There from the start', argumentHint: '' }] },
        request: (request) => {
          if (subtypeOf(request) === 'mcp_status')
            agent.write({ type: 'system', subtype: 'commands_changed', commands, session_id: 's', uuid: 'u' });
          return undefined;
        },
      })(agent);
    };
    const { official, ours } = await compare(program, { standIn });
    expect(official.notes['commands']).toEqual(commands);
    expect(ours.notes).toEqual(official.notes);
    expect(ours.messages.map(({ subtype }) => subtype)).toEqual(official.messages.map(({ subtype }) => subtype));
  });
});

describe('readFile()', () => {
  it.each<readonly [string, Program]>([
    [
      'after the end',
      async ({ query }, { options, note }) => {
        const running = query({ prompt: 'hello', options });
        for await (const message of running) void message;
        note('file', await running.readFile('some'));
      },
    ],
    [
      'while the query is closed',
      async ({ query }, { options, note }) => {
        const running = query({ prompt: 'hello', options });
        await running.initializationResult();
        const file = running.readFile('some');
        running.close();
        note('file', await file);
      },
    ],
    [
      'of an agent that refuses',
      async ({ query }, { options, note }) => {
        const running = query({ prompt: 'hello', options });
        note('file', await running.readFile('some'));
        return running;
      },
    ],
  ])('%s gives null', async (when, program) => {
    const answer = when.includes('refuses') ? new Error('No.') : null;
    const standIn = obliging({ request: (request) => (subtypeOf(request) === 'read_file' ? answer : undefined) });
    const { official, ours } = await compare(program, { standIn });
    expect(official.notes).toEqual({ file: null });
    expect(ours.notes).toEqual(official.notes);
  });
});

/** What an agent writes after it has begun a turn, and what it never does. */
interface Trouble {
  /** Requests that it never answers. */
  readonly unanswered?: string;
  /** What it asks of the program. */
  readonly asks?: object;
  /** Whether it reports that it runs, its idle state, or no state. */
  readonly states: 'running and idle' | 'idle' | 'running' | 'none';
}

function troubled({ unanswered, asks, states }: Trouble): Behaviour {
  return obliging({
    request: (request) => (subtypeOf(request) === unanswered ? null : undefined),
    message: (_, agent) => {
      if (states.startsWith('running')) agent.write(stateMessage('running'));
      agent.write(initMessage());
      if (asks !== undefined) agent.write({ type: 'control_request', request_id: 'asked', request: asks });
      whenAsked(agent, unanswered, () => {
        agent.write(resultMessage());
        if (states.endsWith('idle')) agent.write(stateMessage('idle'));
      });
      return true;
    },
  });
}

/** Calls back once the request was read; it may have arrived before the message. */
function whenAsked(agent: Agent, subtype: string | undefined, then: () => void): void {
  const isAsked = agent.received.some((frame) => subtypeOf(frame) === subtype);
  if (subtype === undefined || isAsked) then();
  else agent.listen({ frame: (frame) => subtypeOf(frame) === subtype && then() });
}

const never = (): Promise<never> => new Promise(() => {});
const permission = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'x' }, tool_use_id: 't' };
const hook = { subtype: 'hook_callback', callback_id: 'hook_0', input: { hook_event_name: 'Stop' } };
const callbacks = {
  none: {},
  canUseTool: { canUseTool: never },
  hooks: { hooks: { Stop: [{ hooks: [never] }] } },
};

const neverAnswered: readonly (readonly [
  what: string,
  callbacks: keyof typeof callbacks,
  trouble: Omit<Trouble, 'states'>,
])[] = [
  ['request of ours', 'none', { unanswered: 'set_model' }],
  ['request of ours, with callbacks,', 'canUseTool', { unanswered: 'set_model' }],
  ['initialize', 'none', { unanswered: 'initialize' }],
  ['initialize, with callbacks,', 'canUseTool', { unanswered: 'initialize' }],
  ['permission', 'canUseTool', { asks: permission }],
  ['hook', 'hooks', { asks: hook }],
];

describe('The loop', () => {
  for (const [what, kind, trouble] of neverAnswered) {
    for (const states of ['running and idle', 'idle', 'none'] as const) {
      for (const form of ['text', 'stream'] as const) {
        it(`ends with a ${form} as in the official package when the ${what} is never answered, at states: ${states}`, async () => {
          const program: Program = ({ query }, { options }) => {
            const running = query({ prompt: promptOf(form), options: { ...options, ...callbacks[kind] } });
            if (trouble.unanswered === 'set_model') running.setModel('some').catch(() => {});
            return running;
          };
          const { official, ours } = await compare(program, {
            standIn: troubled({ ...trouble, states }),
            boundMs: 8000,
          });
          for (const { thrown, hangs } of [official, ours])
            expect({ thrown, hangs }).toEqual({ thrown: undefined, hangs: false });
        });
      }
    }
  }

  it.each(['text', 'stream'] as const)(
    'ends with a %s although the agent never reports its idle state',
    async (form) => {
      const program: Program = ({ query }, { options }) => query({ prompt: promptOf(form), options });
      const { official, ours } = await compare(program, { standIn: troubled({ states: 'running' }), boundMs: 8000 });
      for (const { thrown, hangs } of [official, ours])
        expect({ thrown, hangs }).toEqual({ thrown: undefined, hangs: false });
    },
  );

  it('keeps a request that was made before the result, and is answered after the input was closed', async () => {
    const program: Program = async ({ query }, { options, note }) => {
      const running = query({ prompt: 'hello', options });
      note('answer', await running.mcpServerStatus());
      return running;
    };
    const standIn: Behaviour = (agent) => {
      let request: unknown;
      obliging({
        request: (frame) => {
          if (subtypeOf(frame) !== 'mcp_status') return undefined;
          request = frame;
          finishTurn(agent);
          return null;
        },
        message: () => true,
        inputEnded: () => {
          agent.write(controlResponse(request as Parameters<typeof controlResponse>[0], { mcpServers: [] }));
          agent.exit(0);
          return true;
        },
      })(agent);
    };
    const { official, ours } = await compare(program, { standIn });
    expect(official.notes).toEqual({ answer: [] });
    expect(ours.notes).toEqual(official.notes);
  });
});

function promptOf(form: 'text' | 'stream'): Parameters<Parameters<Program>[0]['query']>[0]['prompt'] {
  if (form === 'text') return 'hello';
  return (async function* () {
    yield { type: 'user', message: { role: 'user', content: 'hello' }, parent_tool_use_id: null };
  })();
}
