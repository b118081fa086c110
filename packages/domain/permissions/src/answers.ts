import { isRecord, kindOf, type PermissionAnswer } from '@hexagent/ports';

/**
 * Lets the call run, with the input that was asked about or a changed one: complete, and a plain object. What would be
 * lost of it on the way to the agent (a Map, a date, a getter) is a denial that says so.
 * @throws {TypeError} for something else than an object.
 */
export function allow(updatedInput?: Readonly<Record<string, unknown>>): PermissionAnswer {
  if (updatedInput === undefined) return { behavior: 'allow' };
  if (isRecord(updatedInput)) return { behavior: 'allow', updatedInput };
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
  if (!isRecord(options)) throw new TypeError(`The options of deny() must be { interrupt }, not ${kindOf(options)}.`);
  const unknown = Reflect.ownKeys(options).find((key) => key !== 'interrupt');
  if (unknown !== undefined)
    throw new TypeError(`\`${String(unknown).slice(0, 40)}\` is no option of deny(). Its only one is \`interrupt\`.`);
  const { interrupt } = options;
  if (interrupt === undefined || typeof interrupt === 'boolean') return interrupt;
  throw new TypeError(`\`interrupt\` of deny() must be true or false, not ${kindOf(interrupt)}.`);
}
