import { fileURLToPath } from 'node:url';
import { createSdkMcpServer, tool, type AnyServer, type SessionOptions, type Transport } from '@hexagent/sdk';
import { linkedTransport, reply, scriptedAgent, type TurnScript } from '@hexagent/testing';
import { hurriedClock, inQuery, inSession, oddStream, withStreamInput } from './callback-conversations.ts';
import type { Place, Run } from './callback-runs.ts';
import type { Act, OddBehaviour } from './odd-behaviours.ts';
import { oddParts } from './odd-parts.ts';

const asked: TurnScript = [reply.tool('Bash', { command: 'ls' }, { asks: true }), 'Done.'];
const person = {
  question: [reply.tool('AskUserQuestion', { questions: [] }, { asks: true }), 'Done.'],
  plan: [reply.tool('ExitPlanMode', {}, { asks: true }), 'Done.'],
} satisfies Readonly<Record<string, TurnScript>>;
const elicits: TurnScript = [reply.ask({ subtype: 'elicitation', mcp_server_name: 's', message: 'Which?' }), 'Done.'];
const shows: TurnScript = [reply.ask({ subtype: 'request_user_dialog', dialog_kind: 'x', payload: {} }), 'Done.'];
const calls: TurnScript = [reply.tool('mcp__own__odd', {}), 'Done.'];

/** A prompt may wait for ever; `return()` is called when the query is left. */
const leaving = (run: Run, where: string): Run => ({
  ...run,
  isEndless: true,
  called: where === 'return' ? Promise.resolve() : run.called,
});

const onlyCalls = (name: string, place: (run: Run) => Promise<void>, more: Partial<Place> = {}): Place => ({
  name,
  run: place,
  ...more,
});

/** The first calls only: an observer that causes events at each event has no end, and is its author's affair. */
function few(act: Act): () => undefined {
  let calls = 0;
  return () => {
    calls += 1;
    return calls <= 3 ? act() : undefined;
  };
}

const talkative = fileURLToPath(new URL('./fixtures/talkative-agent.mjs', import.meta.url));

/** A process for each behaviour would take minutes: those that say it in other ways are left out. */
const needsNoProcess = ({ name }: OddBehaviour): boolean =>
  /later|resolves with|^returns an? (?!then|prom)/u.test(name);

const hookTable = (act: Act, event: string): NonNullable<SessionOptions['hooks']> => ({
  [event]: [{ hooks: [(_input: unknown, _id: unknown, { signal }: { signal: AbortSignal }) => act(signal)] }],
});

const oddTool = (act: Act) =>
  createSdkMcpServer({ name: 'own', tools: [tool('odd', 'd', {}, (_, { signal }) => act(signal))] });
const allowOwn = { allow: ['mcp__own'] };

/** The callbacks of `openSession()`, `createSdk()` and `query()`. */
export const callbackPlaces: readonly Place[] = [
  onlyCalls(
    'onAsk call',
    (run) => inSession(run, { script: asked, options: { onAsk: ({ signal }) => run.act(signal) } }),
    { hasNull: true },
  ),
  ...(['question', 'plan'] as const).map((kind) =>
    onlyCalls(
      `onAsk ${kind}`,
      (run) => inSession(run, { script: person[kind], options: { onAsk: ({ signal }) => run.act(signal) } }),
      { hasNull: true },
    ),
  ),
  ...['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'Stop'].map((event) =>
    onlyCalls(`hook ${event}`, (run) =>
      inSession(run, {
        script: asked,
        options: { hooks: hookTable(run.act, event), permissions: { allow: ['Bash'] } },
      }),
    ),
  ),
  onlyCalls(
    'onAsk elicitation',
    (run) => inSession(run, { script: elicits, options: { onAsk: ({ signal }) => run.act(signal) } }),
    { hasNull: true },
  ),
  onlyCalls(
    'onAsk dialog',
    (run) =>
      inSession(run, {
        script: shows,
        options: { dialogKinds: ['x'], onAsk: ({ signal }) => run.act(signal) },
      }),
    { hasNull: true },
  ),
  onlyCalls('tool handler', (run) =>
    inSession(run, { script: calls, options: { tools: [{ own: oddTool(run.act) }], permissions: allowOwn } }),
  ),
  ...(['validate', 'convert'] as const).map((method) =>
    onlyCalls(`schema of a tool, ${method}`, (run) =>
      inSession(run, {
        script: calls,
        options: () => ({ tools: [{ own: oddSchema(run, method) }], permissions: allowOwn }),
      }),
    ),
  ),
  ...(['open', 'handle', 'close'] as const).map((method) =>
    onlyCalls(`server, ${method}`, (run) =>
      inSession(run, {
        script: calls,
        options: { tools: [{ own: oddServer(run, method) }], permissions: allowOwn },
      }),
    ),
  ),
  onlyCalls('instance of a server, connect', (run) =>
    inSession(run, {
      script: calls,
      options: {
        tools: [
          {
            own: { type: 'sdk', name: 'own', instance: { connect: () => run.act(), close: () => run.act() } },
          },
        ],
        permissions: allowOwn,
      },
    }),
  ),
  onlyCalls('observer', (run) => inSession(run, { parts: { observer: { observe: few(run.act) } } })),
  onlyCalls('onWarning', (run) =>
    inSession(run, {
      script: asked,
      parts: { onWarning: few(run.act) },
      options: { onAsk: () => Promise.reject(new Error('to be warned of')) },
    }),
  ),
  onlyCalls(
    'onStderr',
    (run) =>
      inSession(run, { options: { executable: talkative, onStderr: few(run.act) }, parts: { transport: undefined } }),
    { skips: needsNoProcess },
  ),
  onlyCalls(
    'stderr of a query',
    (run) => inQuery(run, { pathToClaudeCodeExecutable: talkative, stderr: few(run.act) }, { transport: undefined }),
    { skips: needsNoProcess },
  ),
  ...Object.entries(oddParts).map(([name, make]) =>
    onlyCalls(name, (run) => inSession({ ...run, isEndless: true }, { parts: make(run.act) })),
  ),
  onlyCalls('transport, connect', (run) =>
    inSession(run, { parts: { clock: hurriedClock, transport: { connect: () => run.act() } } }),
  ),
  ...(['send', 'end', 'close', 'pause', 'resume'] as const).map((method) =>
    onlyCalls(`connection, ${method}`, (run) =>
      inSession(
        // The input is ended by `finish()` after the turn, and no more by a `close()` that comes first.
        { ...run, isEndless: method !== 'end' },
        {
          // So little may be unread that reading pauses at once.
          options: { softMarkBytes: 1, hardMarkBytes: 1 },
          parts: { clock: hurriedClock, transport: oddTransport({ [method]: few(run.act) }) },
        },
      ),
    ),
  ),
  onlyCalls('connection, exit', (run) =>
    inSession(
      { ...run, isEndless: true },
      { parts: { clock: hurriedClock, transport: oddTransport({}, () => ({ exit: run.act() })) } },
    ),
  ),
  ...(['start', 'next', 'value'] as const).map((where) =>
    onlyCalls(`connection, frames, ${where}`, (run) =>
      inSession(
        { ...run, isEndless: true },
        { parts: { clock: hurriedClock, transport: oddTransport({ frames: oddFrames(run, where) }) } },
      ),
    ),
  ),
  onlyCalls(
    'canUseTool',
    (run) => inQuery(run, { canUseTool: (_name, _input, { signal }) => run.act(signal) }, { script: asked }),
    { hasNull: true },
  ),
  ...(['PreToolUse', 'Stop'] as const).map((event) =>
    onlyCalls(`query hook ${event}`, (run) =>
      inQuery(
        run,
        {
          allowedTools: ['Bash'],
          hooks: {
            [event]: [
              { hooks: [(_input: unknown, _id: unknown, { signal }: { signal: AbortSignal }) => run.act(signal)] },
            ],
          },
        },
        { script: asked },
      ),
    ),
  ),
  onlyCalls(
    'onElicitation',
    (run) => inQuery(run, { onElicitation: (_, { signal }) => run.act(signal) }, { script: elicits }),
    {
      hasNull: true,
    },
  ),
  onlyCalls(
    'onUserDialog',
    (run) =>
      inQuery(
        run,
        { supportedDialogKinds: ['x'], onUserDialog: (_, { signal }) => run.act(signal) },
        { script: shows },
      ),
    { hasNull: true },
  ),
  onlyCalls('query tool handler', (run) =>
    inQuery(run, { mcpServers: { own: oddTool(run.act) }, allowedTools: ['mcp__own__odd'] }, { script: calls }),
  ),
  ...(['start', 'next', 'return', 'value'] as const).map((where) =>
    onlyCalls(`prompt, ${where}`, (run) => inQuery(leaving(run, where), {}, { prompt: oddStream(run, where) })),
  ),
  ...(['start', 'next', 'return', 'value'] as const).map((where) =>
    onlyCalls(`streamInput, ${where}`, (run) => withStreamInput(leaving(run, where), where)),
  ),
];

function oddSchema(run: Run, method: 'validate' | 'convert') {
  const json = { type: 'object', properties: {} };
  const schema = {
    '~standard': {
      version: 1,
      vendor: 'odd',
      validate: () => (method === 'validate' ? run.act() : { value: {} }),
      jsonSchema: { input: () => (method === 'convert' ? run.act() : json) },
    },
  };
  const odd = tool('odd', 'd', schema as never, () => ({ content: [] })); // The type of a schema says more than is asked of one.
  return createSdkMcpServer({ name: 'own', tools: [odd] });
}

/** A connection to an agent, of which some members are replaced. */
function oddTransport(members: object, late: () => object = () => ({})): Transport {
  const { transport } = linkedTransport(scriptedAgent({ turns: () => 'Done.' }));
  return {
    connect: async (launch, options) => ({ ...(await transport.connect(launch, options)), ...members, ...late() }),
  };
}

function oddFrames(run: Run, where: 'start' | 'next' | 'value'): AsyncIterable<readonly string[]> {
  let values = 0;
  const value = async (): Promise<IteratorResult<readonly string[]>> => {
    values += 1;
    await Promise.resolve();
    return values > 3 ? { done: true, value: undefined } : { done: false, value: run.act() };
  };
  const iterator: AsyncIterator<readonly string[]> = { next: () => (where === 'next' ? run.act() : value()) };
  return { [Symbol.asyncIterator]: () => (where === 'start' ? run.act() : iterator) };
}

function oddServer(run: Run, method: 'open' | 'handle' | 'close'): AnyServer {
  const session = {
    handle: (): never => (method === 'handle' ? run.act() : (undefined as never)),
    close: (): never => (method === 'close' ? run.act() : (undefined as never)),
  };
  return { name: 'own', open: () => (method === 'open' ? run.act() : session) };
}
