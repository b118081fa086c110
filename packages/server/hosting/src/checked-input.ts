import { isName, isRecord, shown } from '@hexagent/checks';
import type { UserInput } from '@hexagent/ports';

export function checkText(name: string, value: unknown): asserts value is string {
  if (!isName(value))
    throw new TypeError(`\`${name}\` must be a well-formed text that is not empty, not ${shown(value)}.`);
}

/** `undefined` where a session begins without a message. */
export function checkedFirst(message: boolean | string | UserInput): UserInput | undefined {
  if (message === false) return undefined;
  return checkedInput(typeof message === 'object' || typeof message === 'string' ? message : '');
}

/** What is stored must be what is sent, so only what JSON can carry is taken. */
export function checkedInput(input: string | UserInput): UserInput {
  const message: unknown = typeof input === 'string' ? { content: input } : input;
  if (!isRecord(message) || !(typeof message['content'] === 'string' || Array.isArray(message['content'])))
    throw new TypeError('`input` must be a text, or an object with `content`: a text or a list of blocks.');
  const { uuid } = message;
  if (uuid !== undefined) checkText('input.uuid', uuid);
  // The fields that the host reads were checked; the agent refuses the others if they are invalid.
  return JSON.parse(JSON.stringify(message)) as UserInput;
}
