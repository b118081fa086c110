import { isRecord, kindOf, type PermissionAnswer } from '@hexagent/ports';

/**
 * Allows the call, with the original input or a changed one, which must be complete and a plain object. When JSON would
 * lose a part of it (a Map, a date, a getter), the call is denied with that reason.
 * @throws {TypeError} for anything but an object.
 */
export function allow(updatedInput?: Readonly<Record<string, unknown>>): PermissionAnswer {
  if (updatedInput === undefined) return { behavior: 'allow' };
  if (isRecord(updatedInput)) return { behavior: 'allow', updatedInput };
  throw new TypeError(
    `\`updatedInput\` of allow() must be the tool's whole input as an object, not ${kindOf(updatedInput)}. Leave it out to run the original.`,
  );
}

/**
 * Denies the call. The model reads the message; with `interrupt` the turn ends too.
 * @throws {TypeError} without a message, and for an option that is unknown or not a boolean.
 */
export function deny(message: string, options: { readonly interrupt?: boolean | undefined } = {}): PermissionAnswer {
  if (typeof message !== 'string')
    throw new TypeError(`\`message\` of deny() must be a string that tells the model why, not ${kindOf(message)}.`);
  const interrupt = interruptOf(options);
  return interrupt === undefined ? { behavior: 'deny', message } : { behavior: 'deny', message, interrupt };
}

function interruptOf(options: unknown): boolean | undefined {
  if (!isRecord(options)) throw new TypeError(`The options of deny() must be { interrupt }, not ${kindOf(options)}.`);
  const unknown = Reflect.ownKeys(options).find((key) => key !== 'interrupt');
  if (unknown !== undefined)
    throw new TypeError(`\`${String(unknown).slice(0, 40)}\` is no option of deny(). Its only one is \`interrupt\`.`);
  const { interrupt } = options;
  if (interrupt === undefined || typeof interrupt === 'boolean') return interrupt;
  throw new TypeError(`\`interrupt\` of deny() must be true or false, not ${kindOf(interrupt)}.`);
}
