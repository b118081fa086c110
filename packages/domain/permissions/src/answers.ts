import { errorText, type PermissionAnswer } from '@hexagent/ports';

/**
 * Lets the call run, with the input that was asked about or a changed one: complete, and a plain object. What would be
 * lost of it on the way to the agent (a Map, a date, a getter) is a denial that says so.
 */
export function allow(updatedInput?: Readonly<Record<string, unknown>>): PermissionAnswer {
  return updatedInput === undefined ? { behavior: 'allow' } : { behavior: 'allow', updatedInput };
}

/** Refuses the call. The model reads the message; with `interrupt` the turn ends too. */
export function deny(
  message: string,
  { interrupt }: { readonly interrupt?: boolean | undefined } = {},
): PermissionAnswer {
  return interrupt === undefined ? { behavior: 'deny', message } : { behavior: 'deny', message, interrupt };
}

const shapes =
  "{ behavior: 'allow', updatedInput?: object, updatedPermissions?: list }, " +
  "{ behavior: 'deny', message: string, interrupt?: boolean }, or null when the request is answered elsewhere";

/**
 * Hands an approver's answer on as it is, keys that we do not know included.
 * @throws {TypeError} for what the agent would not understand, naming what it would.
 */
export function checkAnswer(answer: unknown): PermissionAnswer | null {
  let found: string;
  try {
    if (answer === null || isAnswer(answer)) return answer;
    found = describe(answer);
  } catch (error) {
    found = `something that cannot be read (${errorText(error)})`;
  }
  throw new TypeError(`The approver answered with ${found}. It must answer with ${shapes}.`);
}

function isAnswer(value: unknown): value is PermissionAnswer {
  if (!isObject(value)) return false;
  if (value['behavior'] === 'deny')
    return typeof value['message'] === 'string' && isOptional(value['interrupt'], isBoolean);
  if (value['behavior'] !== 'allow') return false;
  return isOptional(value['updatedInput'], isObject) && isOptional(value['updatedPermissions'], Array.isArray);
}

function describe(value: unknown): string {
  if (!isObject(value))
    return Array.isArray(value) ? 'a list' : typeof value === 'undefined' ? 'nothing' : `a ${typeof value}`;
  if (!('behavior' in value)) return 'an object without `behavior`';
  if (value['behavior'] === 'deny') return 'a denial whose `message` or `interrupt` has a wrong type';
  if (value['behavior'] === 'allow')
    return 'a permission whose `updatedInput` or `updatedPermissions` has a wrong type';
  const { behavior } = value;
  return `an unknown \`behavior\` (${typeof behavior === 'string' ? behavior : typeof behavior})`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const isOptional = (value: unknown, test: (value: unknown) => boolean): boolean => value === undefined || test(value);
