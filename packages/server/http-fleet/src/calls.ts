import {
  anyText,
  dictionary,
  flag,
  given,
  isRecord,
  list,
  mode,
  number,
  record,
  text,
  type Check,
} from '@hexagent/checks';
import type {
  ChatAnswer,
  ChatCaller,
  ChatDoor,
  ChatInput,
  ChatSendOptions,
  ChatStream,
  ContentBlock,
} from '@hexagent/ports';

/** What a call returned: a stream, a value, or both. */
export interface Answer {
  readonly value?: unknown;
  readonly stream?: ChatStream | undefined;
}

/** A call that was checked. */
export type PreparedCall = (door: ChatDoor) => Promise<Answer>;

/** Of an id, a name, a cursor. */
const short = text('a string of at most 1000 characters', /^[^]{0,1000}$/);
const count = number({ least: 0, whole: true });
const page = { limit: count, offset: count };

const content: Check<ChatInput['content']> = (value, place) =>
  typeof value === 'string' ? value : list(block, 'a string or a list of blocks')(value, place);

/** The agent checks the rest of it. */
const anyBlock = given<ContentBlock>();

const block: Check<ContentBlock> = (value, place) => {
  if (isRecord(value) && typeof value['type'] === 'string') return anyBlock(value, place);
  throw new TypeError(`\`${place}\` must be a block with a type.`);
};

const callerCheck = record<ChatCaller>({ name: short, tenant: short }, { required: ['name'] });
const messageCheck = record<ChatInput>({ id: short, content }, { required: ['id', 'content'] });
const sendOptionsCheck = record<ChatSendOptions>(
  { steer: flag, continues: flag, model: short, permissionMode: mode },
  { required: ['steer'] },
);
const oneOrMore: Check<string | readonly string[]> = (value, place) =>
  typeof value === 'string' ? value : list(anyText, 'a string or a list of strings')(value, place);
const answerCheck = record<ChatAnswer>(
  {
    approved: flag,
    reason: anyText,
    interrupt: flag,
    suggestions: list(count),
    answers: dictionary(oneOrMore),
    plan: anyText,
    permissionMode: mode,
  },
  { required: ['approved'] },
);

type Taken<T> = T & { readonly caller: ChatCaller };
type OfChat<T = object> = Taken<T & { readonly chatId: string }>;

export type CallName = keyof ChatDoor['sessions'] | keyof ChatDoor['history'] | keyof ChatDoor['approvals'] | 'states';

/** All calls there are, by the last part of their path. Each checks what it takes, and throws a `TypeError` that names what does not fit. */
export const calls: Readonly<Record<CallName, (body: unknown) => PreparedCall>> = {
  start: call<OfChat<{ message: ChatInput; sendOptions: ChatSendOptions }>>(
    { chatId: short, message: messageCheck, sendOptions: sendOptionsCheck },
    async ({ sessions }, { chatId, message, sendOptions, caller }) => {
      const started = await sessions.start(chatId, message, sendOptions, caller);
      if (!('stream' in started)) return { value: started };
      return { value: { kind: started.kind }, stream: started.stream };
    },
  ),
  stream: call<OfChat<{ after?: string }>>(
    { chatId: short, after: short },
    async ({ sessions }, { chatId, caller, after }) => ({ stream: await sessions.stream(chatId, caller, { after }) }),
    ['after'],
  ),
  interrupt: ofChat(({ sessions }, chatId, caller) => sessions.interrupt(chatId, caller)),
  restart: ofChat(({ sessions }, chatId, caller) => sessions.restart(chatId, caller)),
  discard: ofChat(({ sessions }, chatId, caller) => sessions.discard(chatId, caller)),
  delete: ofChat(({ sessions }, chatId, caller) => sessions.delete(chatId, caller)),
  rename: call<OfChat<{ title: string }>>(
    { chatId: short, title: anyText },
    async ({ sessions }, { chatId, title, caller }) => ({ value: await sessions.rename(chatId, title, caller) }),
  ),
  list: call<Taken<{ limit: number; offset: number }>>(page, async ({ sessions }, { limit, offset, caller }) => ({
    value: await sessions.list({ limit, offset }, caller),
  })),
  messages: call<OfChat<{ limit: number; before?: string }>>(
    { chatId: short, limit: count, before: short },
    async ({ history }, { chatId, limit, before, caller }) => ({
      value: await history.messages(chatId, { limit, before }, caller),
    }),
    ['before'],
  ),
  settle: call<OfChat<{ approvalId: string; answer: ChatAnswer }>>(
    { chatId: short, approvalId: short, answer: answerCheck },
    async ({ approvals }, { chatId, approvalId, answer, caller }) => ({
      value: await approvals.settle(chatId, approvalId, answer, caller),
    }),
  ),
  states: call<Taken<{ chatIds: readonly string[] }>>({ chatIds: list(short) }, async (door, { chatIds, caller }) => ({
    value: await door.states(chatIds, caller),
  })),
};

/** The first version of the paths. A worker that has another one does not know these. */
export const pathOf = (name: CallName): string => `/v1/${name}`;

export function callAt(method: string | undefined, path: string | undefined): CallName | undefined {
  if (method !== 'POST' || path?.startsWith('/v1/') !== true) return undefined;
  const name = path.slice('/v1/'.length);
  return Object.hasOwn(calls, name) ? (name as CallName) : undefined; // a key of the table
}

function call<T extends Taken<object>>(
  checks: { readonly [Key in Exclude<keyof T, 'caller'>]-?: Check<Exclude<T[Key], undefined>> },
  make: (door: ChatDoor, taken: T) => Promise<Answer>,
  optional: readonly string[] = [],
): (body: unknown) => PreparedCall {
  const all = { ...checks, caller: callerCheck };
  const required = Object.keys(all).filter((name) => !optional.includes(name));
  const check = record<Record<string, unknown>>(all, { required }) as Check<T>; // it has the rows of exactly these members
  return (body) => {
    const taken = check(body, 'body');
    return (door) => make(door, taken);
  };
}

function ofChat(
  make: (door: ChatDoor, chatId: string, caller: ChatCaller) => Promise<unknown>,
): (body: unknown) => PreparedCall {
  return call<OfChat>({ chatId: short }, async (door, { chatId, caller }) => ({
    value: await make(door, chatId, caller),
  }));
}
