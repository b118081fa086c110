import {
  abortSignal,
  anyText,
  type Check,
  delay,
  dictionary,
  type Elsewhere,
  flag,
  inside,
  isList,
  kindOf,
  list,
  oneOf,
  read,
  record,
  refuse,
  text,
} from '@hexagent/checks';
import type { OutputSchema, SendOptions } from '../output/output-schema.ts';
import type { ContentBlock, EventsOptions, RequestOptions, UserInput } from '@hexagent/ports';

const plainContent = text('text or a list of content blocks', /./s);

/** The parts of a block without which the agent dies or the service refuses the whole message. */
const partsOf: Readonly<Record<string, Readonly<Record<string, Check<unknown>>>>> = {
  text: { text: anyText },
  image: { source: isObject },
  document: { source: isObject },
  tool_result: { tool_use_id: text() },
};

/** The block itself is passed on: fields that are newer than this version are checked by the service. */
const block: Check<ContentBlock> = (value, place) => {
  if (typeof value === 'string') return { type: 'text', text: plainContent(value, place) };
  if (value instanceof Promise)
    throw refuse(place, 'a block', 'a promise of one. Put `await` before image() or file()');
  const whole = isObject(value, place);
  const type = text()(read(whole, 'type', place), inside(place, 'type'));
  const parts = Object.hasOwn(partsOf, type) ? partsOf[type] : undefined;
  for (const [name, part] of Object.entries(parts ?? {})) part(read(whole, name, place), inside(place, name));
  return whole as ContentBlock; // as far as it is read
};

function isObject(value: unknown, place: string): object {
  if (typeof value === 'object' && value !== null && !isList(value, place)) return value;
  throw refuse(place, 'an object', kindOf(value));
}

const blocks = list(block);
const content: Check<UserInput['content']> = (value, place) => {
  if (!isList(value, place)) return plainContent(value, place);
  const checked = blocks(value, place);
  if (checked.length > 0) return checked;
  throw refuse(place, 'text or a list of content blocks', 'an empty list');
};

const anything: Check<unknown> = (value) => value;

/** Fields that the SDK itself writes; a field of the program would be ignored. */
const ownFields: Readonly<Record<string, string>> = {
  type: 'Leave it out: it is always "user".',
  message: 'Pass its text as `content`.',
  uuid: 'Pass it beside `fields`.',
  priority: 'Pass it beside `fields`.',
};
const moreFields = dictionary(anything, (name, place) => {
  if (!Object.hasOwn(ownFields, name)) return;
  throw new TypeError(`\`${inside(place, name)}\` is set by the SDK. ${ownFields[name]}`);
});
const fields: Check<NonNullable<UserInput['fields']>> = (value, place) => {
  const checked = moreFields(value, place);
  for (const name of ['parent_tool_use_id', 'session_id'])
    if (checked[name] !== undefined && checked[name] !== null) anyText(checked[name], inside(place, name));
  return checked;
};

const inputOf = (elsewhere: Elsewhere): Check<string | UserInput> => {
  const message = record<UserInput>(
    { content, uuid: text(), priority: oneOf('now', 'next', 'later'), fields },
    {
      required: ['content'],
      elsewhere: { blocks: 'content', message: 'content', text: 'content', id: 'uuid', ...elsewhere },
      wanted: 'text, a list or { content }',
    },
  );
  return (value, place) => {
    if (typeof value === 'string') return plainContent(value, place);
    return isList(value, place) ? { content: content(value, place) } : message(value, place);
  };
};

/** The input of `session.send(input)`. */
export const userInput: Check<string | UserInput> = inputOf({ prompt: 'content' });

/** What `session.send(input, options)` takes beside the message. */
export const sendOptions: Check<SendOptions<OutputSchema>> = record<SendOptions<OutputSchema>>({
  output: (value) => value as OutputSchema, // its reader checks it
  repair: flag,
});

/** The first argument of `ask(prompt, options)`, which is not one object as that of `query()`. */
export const promptInput: Check<string | UserInput> = inputOf({
  prompt: 'ask(prompt, options)',
  options: 'ask(prompt, options)',
});

/** The input of a tool, or its arguments. */
export const toolInput: Check<Readonly<Record<string, unknown>>> = dictionary(anything);

/** The fields of a request to the agent. */
export const requestFields: Check<Readonly<Record<string, unknown>>> = dictionary(anything, (name, place) => {
  if (name === 'subtype')
    throw new TypeError(`\`${inside(place, name)}\` is set by the SDK. Pass it as the first argument.`);
});

/** What `control.request()` takes beside them. */
export const requestOptions: Check<RequestOptions> = record<RequestOptions>(
  { signal: abortSignal, timeoutMs: delay },
  { elsewhere: { timeout: 'timeoutMs', abortController: 'signal' } },
);

/** What `events()` takes. */
export const eventsOptions: Check<EventsOptions> = record<EventsOptions>({ mayMiss: flag });
