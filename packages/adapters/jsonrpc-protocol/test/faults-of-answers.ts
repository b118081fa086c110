import type { PermissionAnswer } from '@hexagent/ports';
import { decision, faulty, hosts, put, reads, without, writes, type Fault } from './faulty-protocol.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Changes answers to the agent, at a place of them. */
const answers = (path: string, change: (value: never) => unknown): Fault[1] => writes(put(`response.${path}`, change));
const rpcError = (code: number, change: (reply: Fields) => Fields): Fault[1] =>
  answers('response.mcp_response', (reply: Fields & { readonly error?: { readonly code: number } }) =>
    reply.error?.code === code ? change(reply) : reply,
  );
const replaces =
  (from: string | RegExp, to: string) =>
  (text: unknown): unknown =>
    typeof text === 'string' ? text.replace(from, to) : text;
const unlessEmpty = (value: object | undefined): object | undefined =>
  Object.keys(value ?? {}).length === 0 ? undefined : value;

/** Of how a channel answers the agent. */
export const ofAnswers: readonly Fault[] = [
  [
    'does not name what it does not support',
    answers('error', replaces('make_coffee', 'it')),
    'answers an unknown request with an error that names it',
  ],
  [
    'does not name the hook that is missing',
    answers('error', replaces('hook_0', 'it')),
    'answers with an error where the program has no handler for a request',
  ],
  [
    'has another code for an unknown server',
    rpcError(-32_601, (reply) => ({ ...reply, error: { code: -32_600, message: 'No such server.' } })),
    'answers a call to an unknown server as JSON-RPC, with the id of the call',
  ],
  [
    'answers a notification with nothing',
    answers('response.mcp_response', (reply: Fields) => (reply['id'] === 0 ? undefined : reply)),
    'answers a notification over MCP too, since the agent waits for a reply',
  ],
  [
    'does not name the request that lacks fields',
    answers('error', replaces(/^\S+ (needs)/u, 'It $1')),
    'answers a request that lacks fields with an error',
  ],
  [
    'hides the message of an error',
    answers('error', replaces('Refused by the test.', 'It failed.')),
    'answers with the message of an error that a callback throws',
  ],
  [
    'does not name what JSON cannot hold',
    answers('response.message', replaces('self', 'it')),
    'answers with an error when JSON cannot hold the answer of a callback',
  ],
  [
    'denies what is answered elsewhere',
    decision((answer: unknown) => (answer === null ? { behavior: 'deny', message: 'No answer.' } : answer)),
    'sends nothing when a permission or a dialog is answered elsewhere',
  ],
  [
    'does not name the valid forms',
    answers('response.message', replaces('allow() and deny(message)', 'two')),
    'denies with the valid forms when the answer of a permission callback is invalid',
  ],
  [
    'does not name an unknown behavior',
    answers('response.message', replaces('"alow"', 'it')),
    'names an unknown behavior of a permission callback',
  ],
  [
    'continues after a denial without a message',
    decision((answer: { behavior?: string; message?: string }) =>
      answer?.behavior === 'deny' && answer.message === undefined ? { ...answer, interrupt: false } : answer,
    ),
    'ends the turn on a denial with `interrupt` and without a message',
  ],
  [
    'leaves out empty rules',
    answers('response.updatedPermissions', unlessEmpty),
    'adds the id of the tool call to a permission answer and changes nothing else',
  ],
  [
    'answers a malformed reply without an id',
    rpcError(-32_603, ({ id: _, ...reply }) => reply),
    'corrects the id of a reply of an MCP server, and replaces a malformed reply by an error',
  ],
  [
    'hands on the stack of an error',
    rpcError(-32_000, (reply) => ({ ...reply, stack: 'x' })),
    'hands on of a reply what JSON-RPC defines, since the agent waits for ever when it gets more',
  ],
];

const copied = (value: unknown): unknown => (value instanceof Map ? Object.fromEntries(value) : value);
/** Changes the answer of a hook before it is read. */
const hook = (change: (output: never) => unknown): Fault[1] =>
  hosts(({ hook_callback: call }) =>
    call ? { hook_callback: async (...asked) => change((await call(...asked)) as never) as object } : {},
  );

/** Of what JSON would lose. */
export const ofLostValues: readonly Fault[] = [
  [
    'takes a Map for an object',
    decision(put('updatedInput', copied)),
    'denies a call that was allowed with an input that JSON would lose, with the reason',
  ],
  ['leaves out an empty input', answers('response.updatedInput', unlessEmpty), 'keeps an empty input empty'],
  [
    'writes undefined members as null',
    decision(put('updatedInput.timeout', (value: unknown) => value ?? null)),
    'leaves out undefined members',
  ],
  [
    'takes a rule that is a Map for an object',
    decision(put('updatedPermissions', (rules: unknown[]) => rules.map(copied))),
    'denies a call that was allowed with rules that JSON would lose',
  ],
  [
    'reads an answer twice',
    decision((answer: PermissionAnswer | null) => (answer?.behavior === 'allow' && answer.updatedInput, answer)),
    'reads an answer once, so that the checked answer is the one that is sent',
  ],
  [
    'loses the kind of a decision',
    answers('response.decisionClassification', without),
    'writes only the members of an answer that the agent knows',
  ],
  [
    'leaves out a misspelt member',
    decision(put('updated_input', without)),
    'denies a call that was allowed with a misspelt member, with the reason',
  ],
  [
    'takes a denial with another field for a failure',
    decision(
      put('extra', () => {
        throw new TypeError('There is another field.');
      }),
    ),
    'keeps a denial, whatever other fields it has',
  ],
  [
    'takes a Map in the answer of a hook for an object',
    hook(put('hookSpecificOutput.updatedInput', copied)),
    'refuses the call when JSON would lose the answer of a hook before it',
  ],
  [
    'leaves out a misspelt field of a hook',
    hook(put('continu', without)),
    'refuses the call when the agent would read the answer of a hook before it as empty',
  ],
  [
    'loses unknown fields of a hook',
    answers('response.because', without),
    'passes on unknown fields of a hook that are not a misspelling',
  ],
  [
    'leaves out an empty input in the answer of a hook',
    answers('response.hookSpecificOutput.decision.updatedInput', unlessEmpty),
    'keeps an empty input empty in the answer of a hook, and makes no other input empty',
  ],
  [
    'leaves out every field of a hook that is null',
    answers('response.other', (value: unknown) => value ?? undefined),
    'leaves out fields of a hook that are null',
  ],
  [
    'lets a prompt through whose hook failed',
    answers('response.decision', (value: unknown) => (value === 'block' ? undefined : value)),
    'stops a prompt, a permission and an output that a hook changed, where the answer is lost on the way',
  ],
  [
    'makes a text of each id',
    answers('request_id', (id: unknown) => (typeof id === 'number' ? `${id}` : id)),
    'answers a request with the same id, of any type, or without one',
  ],
  [
    'makes a text of an id that is withdrawn',
    reads((frame) => (frame.type === 'control_cancel_request' ? put('request_id', String)(frame) : frame)),
    'withdraws a request with an id of any type',
  ],
  [
    'does not name the callback that failed',
    faulty({ ports: ({ warn }) => ({ warn: (warning) => warn?.({ ...warning, source: 'callback' }) }) }),
    'warns of a callback that fails, and names it',
  ],
];
