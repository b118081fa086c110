import { isRecord, kindOf, plainOptions } from '@hexagent/checks';
import type { Decision, Denial, PermissionUpdate, RememberScope } from '@hexagent/ports';
import { rememberScope } from './remembering.ts';

/** What was asked: an ask, a stored approval, the agent's own request, or `{ input }`. */
export interface AskedOf {
  /** The whole input of the call. */
  readonly input: object;
}

/** How a call is allowed. Without any of these it runs once, as the agent meant it. */
export interface AllowOptions {
  /** Runs the tool with this input instead. It must be complete. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Stores the rule that the agent suggests, so that it does not request permission for such calls again. Never a mode or a folder,
   * which the agent suggests as well.
   */
  readonly remember?: RememberScope | undefined;
  /** Changes to the CLI's rules, mode or directories, sent as they are: suggestions of your choice, or others. */
  readonly updates?: readonly PermissionUpdate[] | undefined;
}

/**
 * Allows the call. Takes plain values only: of others the agent would get a part, or it would run the original.
 * @throws {TypeError} for an option that is unknown or not what it must be, and for a promise, a Map, a date, a getter or
 * an instance of a class anywhere in them.
 */
export function allow(options: AllowOptions = {}): Decision {
  // An input in place of the options would be lost, and the original would run.
  const { input, remember, updates } = plainOptions('allow', options, ['input', 'remember', 'updates']);
  if (input !== undefined && !isRecord(input))
    throw new TypeError(
      `\`input\` of allow() must be the tool's whole input as an object, not ${kindOf(input)}. Leave it out to run the original.`,
    );
  if (updates !== undefined && !Array.isArray(updates))
    throw new TypeError(`\`updates\` of allow() must be a list of changes to permissions, not ${kindOf(updates)}.`);
  return {
    behavior: 'allow',
    ...(input === undefined ? {} : { updatedInput: input }),
    ...(updates === undefined ? {} : { updatedPermissions: updates }),
    ...(remember === undefined ? {} : { remember: rememberScope(remember, '`remember` of allow()') }),
  };
}

/**
 * Denies the call. The model reads the message; with `interrupt` the turn ends too.
 * @throws {TypeError} without a message, and for an option that is unknown or not a boolean.
 */
export function deny(message: string, options: { readonly interrupt?: boolean | undefined } = {}): Denial {
  if (typeof message !== 'string')
    throw new TypeError(
      `\`message\` of deny() must be a string with the reason for the model, not ${kindOf(message)}.`,
    );
  const { interrupt } = plainOptions('deny', options, ['interrupt']);
  if (interrupt !== undefined && typeof interrupt !== 'boolean')
    throw new TypeError(`\`interrupt\` of deny() must be true or false, not ${kindOf(interrupt)}.`);
  return interrupt === undefined ? { behavior: 'deny', message } : { behavior: 'deny', message, interrupt };
}
