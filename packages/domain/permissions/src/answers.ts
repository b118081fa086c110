import { errorText, type PermissionAnswer } from '@hexagent/ports';

/**
 * Lets the call run, with the input that was asked about or a changed one: complete, and a plain object. What would be
 * lost of it on the way to the agent (a Map, a date, a getter) is a denial that says so.
 * @throws {TypeError} for something else than an object.
 */
export function allow(updatedInput?: Readonly<Record<string, unknown>>): PermissionAnswer {
  if (updatedInput === undefined) return { behavior: 'allow' };
  if (isObject(updatedInput)) return { behavior: 'allow', updatedInput };
  throw new TypeError(
    `\`updatedInput\` of allow() must be the tool's whole input as an object, not ${kindOf(updatedInput)}. Leave it out to run the original.`,
  );
}

/**
 * Refuses the call. The model reads the message; with `interrupt` the turn ends too.
 * @throws {TypeError} without a message, and for an option that is not known or is no boolean.
 */
export function deny(message: string, options: { readonly interrupt?: boolean | undefined } = {}): PermissionAnswer {
  if (typeof message !== 'string')
    throw new TypeError(`\`message\` of deny() must be a string that tells the model why, not ${kindOf(message)}.`);
  const interrupt = interruptOf(options);
  return interrupt === undefined ? { behavior: 'deny', message } : { behavior: 'deny', message, interrupt };
}

function interruptOf(options: unknown): boolean | undefined {
  if (!isObject(options)) throw new TypeError(`The options of deny() must be { interrupt }, not ${kindOf(options)}.`);
  const unknown = Reflect.ownKeys(options).find((key) => key !== 'interrupt');
  if (unknown !== undefined)
    throw new TypeError(`\`${String(unknown).slice(0, 40)}\` is no option of deny(). Its only one is \`interrupt\`.`);
  const { interrupt } = options;
  if (interrupt === undefined || typeof interrupt === 'boolean') return interrupt;
  throw new TypeError(`\`interrupt\` of deny() must be true or false, not ${kindOf(interrupt)}.`);
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
  if (!isObject(value)) return kindOf(value);
  if (!('behavior' in value)) return 'an object without `behavior`';
  if (value['behavior'] === 'deny') return 'a denial whose `message` or `interrupt` has a wrong type';
  if (value['behavior'] === 'allow')
    return 'a permission whose `updatedInput` or `updatedPermissions` has a wrong type';
  const { behavior } = value;
  return `an unknown \`behavior\` (${typeof behavior === 'string' ? behavior : typeof behavior})`;
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const isOptional = (value: unknown, test: (value: unknown) => boolean): boolean => value === undefined || test(value);
