import { describe, expect, it } from 'vitest';
import { initMessage, obliging, resultMessage, stateMessage, type Obliging } from './behaviours.ts';
import type { Thrown } from './recording.ts';
import { compare, run, type Program } from './run.ts';
import type { Agent, Behaviour, WireFrame } from './stand-in.ts';

const hello: Program = ({ query }, { options }) => query({ prompt: 'hello', options });

/** An agent that begins a turn and then ends in its own way; that its input is closed changes nothing. */
function ending(end: (agent: Agent) => void): Behaviour {
  return obliging({
    message: (_, agent) => {
      agent.write(initMessage());
      end(agent);
      return true;
    },
    inputEnded: () => true,
  });
}

const failed: WireFrame = {
  subtype: 'error_during_execution',
  is_error: true,
  result: undefined,
  errors: ['Bad.', 'Worse.'],
};
const refusedByApi: WireFrame = { is_error: true, result: 'API Error: 400 no' };
const after = (result: WireFrame, end: (agent: Agent) => void): Behaviour =>
  ending((agent) => {
    agent.write(resultMessage(result));
    end(agent);
  });

const causes: readonly (readonly [cause: string, behaviour: Behaviour, words: RegExp])[] = [
  ['exits with code 1 in a turn', ending((agent) => agent.exit(1)), /^Claude Code process exited with code 1\b/],
  ['exits with code 143 in a turn', ending((agent) => agent.exit(143)), /^Claude Code process exited with code 143\b/],
  [
    'is killed in a turn',
    ending((agent) => agent.kill('SIGKILL')),
    /^Claude Code process terminated by signal SIGKILL\b/,
  ],
  ['exits before it says anything', (agent) => agent.exit(1), /^Claude Code process exited with code 1\b/],
  [
    'exits with last words',
    (agent) => {
      agent.stderr('No conversation found with session ID: x\n');
      agent.exit(1);
    },
    /^Claude Code process exited with code 1\. stderr: No conversation found with session ID: x$/m,
  ],
  ['fails after a success', after({}, (agent) => agent.exit(1)), /^Claude Code process exited with code 1\b/],
  [
    'is killed after a success',
    after({}, (agent) => agent.kill('SIGKILL')),
    /^Claude Code process terminated by signal SIGKILL\b/,
  ],
  ...([1, 2, 137, 143] as const).map(
    (code) =>
      [
        `exits with code ${code} after an error result`,
        after(failed, (agent) => agent.exit(code)),
        /^Claude Code returned an error result: Bad\.; Worse\.$/,
      ] as const,
  ),
  [
    'is killed after an error result',
    after(failed, (agent) => agent.kill('SIGKILL')),
    /^Claude Code returned an error result: Bad\.; Worse\.$/,
  ],
  [
    'fails after a refusal of the API',
    after(refusedByApi, (agent) => agent.exit(1)),
    /^Claude Code returned an error result: API Error: 400 no$/,
  ],
  [
    'fails after an error result without a text',
    after({ ...failed, errors: [] }, (agent) => agent.exit(1)),
    /^Claude Code process exited with code 1\b/,
  ],
  [
    'cannot start for a reason that it names',
    after({ ...failed, startup_failure_reason: 'bypass_root' }, (agent) => agent.exit(1)),
    /^Claude Code returned an error result: Bad\.; Worse\.$/,
  ],
  [
    'fails in a turn that began after an error result',
    after(failed, (agent) => {
      agent.write(initMessage());
      agent.exit(1);
    }),
    /^Claude Code process exited with code 1\b/,
  ],
];

/** How programs distinguish endings. */
const recognisers: readonly ((error: Error) => unknown)[] = [
  ({ message }) => message.includes('process exited with code'),
  ({ message }) => message.includes('process terminated by signal'),
  ({ message }) => /Claude Code process exited with code (\d+)/.exec(message)?.[1],
  ({ message }) => /exited with code 1(?!\d)/.test(message),
  ({ message }) => /terminated by signal (SIG\w+)/.exec(message)?.[1],
  ({ message }) => message.startsWith('Claude Code returned an error result:'),
  ({ message }) => message.includes('No conversation found'),
  ({ message }) => message === 'Query closed before response received',
  ({ message }) => message === 'Operation aborted',
  ({ message }) => message === 'Claude Code process aborted by user',
  ({ message }) => /aborted/i.test(message),
  (error) => error instanceof TypeError,
  (error) => error instanceof ReferenceError,
  (error) => ('exitCode' in error ? (error.exitCode ?? undefined) : undefined),
  (error) => ('signal' in error ? (error.signal ?? undefined) : undefined),
  (error) => ('errorClass' in error ? error.errorClass : undefined),
  (error) => ('errorCode' in error ? error.errorCode : undefined),
  (error) => ('startupFailureReason' in error ? error.startupFailureReason : undefined),
];

const recognised = (thrown: Thrown | undefined): unknown[] =>
  thrown?.error instanceof Error
    ? recognisers.map((recognise) => recognise(thrown.error as Error))
    : ['nothing was thrown'];

describe('An agent that', () => {
  it.each(causes)('%s is recognised as in the official package', async (_, standIn, words) => {
    const { official, ours } = await compare(hello, { standIn });
    expect(official.thrown?.message).toMatch(words);
    expect(ours.thrown?.message).toMatch(words);
    expect(recognised(ours.thrown)).toEqual(recognised(official.thrown));
    expect(ours.messages.map(({ type }) => type)).toEqual(official.messages.map(({ type }) => type));
  });

  it.each([
    ['has no list of errors', { ...failed, errors: undefined }, /^Claude Code process exited with code 1\b/],
    ['has a text for a list of errors', { ...failed, errors: 'Bad.' }, /^Claude Code returned an error result: Bad\.$/],
  ])(
    'fails after an error result that %s is told in the same words, where officially a TypeError is',
    async (_, fields, words) => {
      const { official, ours } = await compare(hello, { standIn: after(fields, (agent) => agent.exit(1)) });
      expect(official.thrown?.name).toBe('TypeError');
      expect(ours.thrown?.message).toMatch(words);
      expect(ours.messages.map(({ type }) => type)).toEqual(['system', 'result']);
    },
  );

  it('exits with code 0 and no answer is an error, while in the official package the loop ends in silence', async () => {
    const { official, ours } = await compare(hello, { standIn: ending((agent) => agent.exit(0)) });
    expect(official.thrown).toBeUndefined();
    expect(ours.thrown?.message).toMatch(/^Claude Code process exited with code 0\b.*without an answer/);
  });
});

const methods: Readonly<Record<string, (query: ReturnType<Parameters<Program>[0]['query']>) => Promise<unknown>>> = {
  setModel: (query) => query.setModel('some'),
  interrupt: (query) => query.interrupt(),
  mcpServerStatus: (query) => query.mcpServerStatus(),
  readFile: (query) => query.readFile('some'),
  initializationResult: (query) => query.initializationResult(),
  supportedCommands: (query) => query.supportedCommands(),
};

/** What came of each method: the value, or by what programs recognise the error. */
async function outcomesOf(
  query: Parameters<(typeof methods)[string]>[0],
  { AbortError }: Parameters<Program>[0],
): Promise<unknown> {
  const outcomes = Object.entries(methods).map(async ([name, call]) => {
    const outcome = await call(query).then(
      (value) => (value === null ? null : 'answered'),
      (error: unknown) => ({
        isAbort: error instanceof AbortError,
        seen: recognised({ name, message: '', error }),
      }),
    );
    return [name, outcome];
  });
  return Object.fromEntries(await Promise.all(outcomes));
}

/** Reads a query and asks its methods on the first message, and once more when it has ended. */
const asking =
  (end: (query: Parameters<(typeof methods)[string]>[0], controller: AbortController) => void): Program =>
  async (sdk, { options, note }) => {
    const abortController = new AbortController();
    const query = sdk.query({ prompt: 'hello', options: { ...options, abortController } });
    let pending: Promise<unknown> | undefined;
    try {
      for await (const message of query) {
        if (message.type !== 'system' || pending !== undefined) continue;
        pending = outcomesOf(query, sdk);
        end(query, abortController);
      }
    } catch (error) {
      note('loop', { isAbort: error instanceof sdk.AbortError, seen: recognised({ name: '', message: '', error }) });
    }
    note('pending', await pending);
    note('afterwards', await outcomesOf(query, sdk));
  };

/** Answers neither `initialize` nor any other request. */
const deaf = (message: (agent: Agent) => void, change: Obliging = {}): Behaviour =>
  obliging({
    ...change,
    request: () => null,
    message: (_, agent) => {
      agent.write(initMessage());
      message(agent);
      return true;
    },
  });
/** As the CLI in a turn: that its input was closed does not stop it. */
const staying: Obliging = { inputEnded: () => true };
const requestsOf = (agent: Agent): number => agent.received.filter(({ type }) => type === 'control_request').length;

/** Does something once all methods that make a request have made it. */
const onceAsked =
  (end: (agent: Agent) => void) =>
  (agent: Agent): void =>
    agent.listen({ frame: () => requestsOf(agent) === 5 && end(agent) });

describe('What is pending', () => {
  it.each<readonly [string, Program, Behaviour]>([
    ['when the query is closed', asking((query) => query.close()), deaf(() => {})],
    ['when the query is aborted', asking((_, controller) => controller.abort('enough')), deaf(() => {}, staying)],
    ['when the agent fails', asking(() => {}), deaf(onceAsked((agent) => agent.exit(3)))],
    ['when the agent is killed', asking(() => {}), deaf(onceAsked((agent) => agent.kill('SIGKILL')))],
    [
      'when the agent fails with an error result, as after a bad resume',
      asking(() => {}),
      deaf(
        onceAsked((agent) => {
          agent.write(resultMessage(failed));
          agent.exit(1);
        }),
      ),
    ],
    [
      'when the agent ends without answering',
      asking(() => {}),
      deaf(
        onceAsked((agent) => {
          agent.write(resultMessage());
          agent.write(stateMessage('idle'));
        }),
      ),
    ],
  ])('%s fails as in the official package, and so does what is asked afterwards', async (_, program, standIn) => {
    const { official, ours } = await compare(program, { standIn });
    expect(official.notes['pending']).toBeDefined();
    expect(ours.notes).toEqual(official.notes);
  });

  it('when the agent could not start fails as in the official package', async () => {
    const program: Program = async (sdk, { options, note }) => {
      const query = sdk.query({ prompt: 'hello', options });
      note('outcomes', await outcomesOf(query, sdk));
    };
    const standIn: Behaviour = (agent) => agent.exit(1);
    const { official, ours } = await compare(program, { standIn });
    expect(ours.notes).toEqual(official.notes);
  });

  it('and was not awaited is no unhandled rejection', async () => {
    const program: Program = ({ query }, { options }) => {
      const running = query({ prompt: 'hello', options });
      void running.setModel('some');
      void running.interrupt();
      return running;
    };
    // Not with the official package: vitest fails the run for what it leaves unhandled, as it would for ours.
    const { thrown } = await run('ours', program, { standIn: deaf((agent) => agent.exit(3)) });
    expect(thrown?.message).toMatch(/exited with code 3/);
  });
});

describe('A query whose signal has aborted before', () => {
  it('throws the AbortError at once, and starts nothing', async () => {
    const program: Program = ({ query, AbortError }, { options, note }) => {
      const abortController = new AbortController();
      abortController.abort();
      try {
        query({ prompt: 'hello', options: { ...options, abortController } });
      } catch (error) {
        note('thrown', { isAbort: error instanceof AbortError, message: error instanceof Error && error.message });
      }
    };
    const { official, ours } = await compare(program);
    expect(ours.notes).toEqual({ thrown: { isAbort: true, message: 'Operation aborted' } });
    expect(ours.notes).toEqual(official.notes);
    expect(ours.launches).toEqual([]);
  });
});
