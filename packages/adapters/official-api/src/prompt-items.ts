import { isRecord, kindOf, shown } from '@hexagent/checks';
import type { UserInput } from '@hexagent/ports';
import { notify } from '@hexagent/async';

/** One thing that a prompt yields: a message, or a request to the agent between messages. */
export type PromptItem =
  | { readonly input: UserInput }
  | { readonly subtype: string; readonly fields: Readonly<Record<string, unknown>> };

/**
 * What is to be sent for a yielded value; nothing for a sign of life. In the official package every value is written as it is.
 * @throws {TypeError} for what is not a message of a user: the agent would exit because of it, or take it for one.
 */
export function promptItemOf(yielded: unknown): PromptItem | undefined {
  try {
    return itemOf(yielded);
  } catch (error) {
    notify(() => yielded); // a promise in place of a message may reject, and no other code handles it
    throw error;
  }
}

function itemOf(yielded: unknown): PromptItem | undefined {
  if (!isRecord(yielded)) throw new TypeError(`Only messages can be sent, not ${kindOf(yielded)}.`);
  const { type, request } = yielded;
  if (type === 'keep_alive') return undefined;
  if (type === 'control_request' && isRecord(request)) {
    const { subtype, ...fields } = request;
    if (typeof subtype === 'string') return { subtype, fields };
  }
  return { input: inputOf(yielded) };
}

function inputOf({ type, message, uuid, priority, ...fields }: Readonly<Record<string, unknown>>): UserInput {
  if (type !== 'user') throw new TypeError(`Only messages of type "user" can be sent, not ${shown(type)}.`);
  const { role, content, ...others } = isRecord(message) ? message : {};
  if (role !== 'user') throw new TypeError(`Only messages of the role "user" can be sent, not ${shown(role)}.`);
  // The API has more types of blocks than the engine names, and the engine checks the rest; all are sent unchanged.
  return { content, uuid, priority, fields: withMembers(fields, others) } as UserInput;
}

/** Members of the message that the engine does not have are sent too. */
function withMembers(fields: object, members: object): object {
  return Object.keys(members).length === 0 ? fields : { ...fields, message: members };
}

/** Reads what `for await` reads: an iterable without promises as well. */
export function iteratorOf<T>(stream: AsyncIterable<T> | Iterable<T>): AsyncIterator<T> {
  if (!isStream(stream)) throw new TypeError(`An iterable of user messages is needed, not ${shown(stream)}.`);
  if (Symbol.asyncIterator in stream) return checkIterator<AsyncIterator<T>>(stream[Symbol.asyncIterator]());
  const iterator = checkIterator<Iterator<T>>(stream[Symbol.iterator]());
  return {
    async next() {
      const { done, value } = checkStep(iterator.next());
      return done === true ? { done, value: undefined } : { done: false, value: await value };
    },
    async return() {
      iterator.return?.();
      return { done: true, value: undefined };
    },
  };
}

/** An iterator that an async function returns is a promise, not an iterator; it may reject, and no other code handles it. */
function checkIterator<T>(iterator: T): T {
  if (isRecord(iterator) && typeof iterator['next'] === 'function') return iterator;
  notify(() => iterator);
  throw new TypeError(`The prompt must give an iterator with a \`next()\`, not ${shown(iterator)}.`);
}

/** @throws {TypeError} for an invalid result of `next()`. */
export function checkStep<T>(step: IteratorResult<T>): IteratorResult<T> {
  if (isRecord(step)) return step;
  throw new TypeError(`The iterator of a prompt must return objects from \`next()\`, not ${shown(step)}.`);
}

/** @throws {TypeError} for what is neither a text nor a stream. */
export function checkPrompt<Prompt>(prompt: Prompt): Prompt {
  if (typeof prompt === 'string' || isStream(prompt)) return prompt;
  throw new TypeError('`prompt` must be a string or an iterable of user messages.');
}

function isStream(prompt: unknown): boolean {
  return typeof prompt === 'object' && prompt !== null && (Symbol.asyncIterator in prompt || Symbol.iterator in prompt);
}
