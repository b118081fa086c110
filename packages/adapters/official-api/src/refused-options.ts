import { isRecord, kindOf, shown } from '@hexagent/checks';
import type { Options, OwnOptions } from './types/options.ts';

/**
 * Refuses values that would count as not given, although they are passed to restrict the agent.
 * @throws {TypeError} naming the option.
 */
export function refuseLostOptions(options: Options & OwnOptions): void {
  if (!isTable(options)) throw new TypeError('`options` must be a plain object with the names of options as its keys.');
  const { abortController, hooks, mcpServers } = options;
  if (abortController && !canAbort(abortController))
    throw new TypeError('`abortController` must be an AbortController: aborting this would end nothing.');
  if (mcpServers && (typeof mcpServers !== 'object' || Symbol.iterator in mcpServers))
    throw new TypeError('`mcpServers` must be a plain object with the names of the servers as its keys.');
  // The entries of a Map are no keys: what its hooks were to prevent would run.
  if (hooks && (isRecord(hooks) ? Symbol.iterator in hooks : /^(?:string|function)$/.test(typeof hooks)))
    throw new TypeError(`\`hooks\` must be an object with events as its keys, not ${kindOf(hooks)}.`);
  if (Array.isArray(hooks) && hooks.length > 0)
    throw new TypeError('`hooks` must be one table, not a list. Join several: createHooks(first, second).');
  if (options.executableArgs !== undefined && !Array.isArray(options.executableArgs))
    throw new TypeError('`executableArgs` must be a list of strings.');
  for (const name of ['spawnClaudeCodeProcess', 'pathToClaudeCodeExecutable'] as const)
    if (options[name] && options.transport)
      throw new TypeError(`\`${name}\` and \`transport\` both decide how the agent is reached. Keep one of the two.`);
  const { backgroundTasks = 'stop' } = options;
  if (backgroundTasks !== 'stop' && backgroundTasks !== 'wait')
    throw new TypeError(`\`backgroundTasks\` must be one of "stop", "wait", not ${shown(backgroundTasks)}.`);
  for (const name of callbacks) {
    const callback: unknown = options[name];
    if (callback && typeof callback !== 'function') throw new TypeError(`\`${name}\` must be a function.`);
  }
}

/** A list or a Map has options, and not under their names. */
const isTable = (value: unknown): boolean => isRecord(value) && !(Symbol.iterator in value);

const callbacks = ['canUseTool', 'onElicitation', 'onUserDialog', 'spawnClaudeCodeProcess', 'stderr'] as const;

/** Each realm has its own class, so the shape decides. */
function canAbort({ signal }: Partial<AbortController>): boolean {
  return typeof signal?.aborted === 'boolean' && typeof signal.addEventListener === 'function';
}

/** Options of the native face, and what does the same here. The official package ignores any unknown name. */
const nativeOptions: Readonly<Record<string, string>> = {
  permissions: '`canUseTool`, `allowedTools`, `disallowedTools` and `permissionMode`',
  onAsk: '`canUseTool`, `onElicitation` and `onUserDialog`',
};

/**
 * A missing option is better than an option that is silently ignored.
 * @throws {TypeError} for an option of openSession(), with which a rule or a tool would be missing.
 */
export function refuseUnsupported(options: Options): void {
  for (const [name, instead] of Object.entries(nativeOptions))
    if (Reflect.get(options, name))
      throw new TypeError(`\`${name}\` is an option of openSession() and ask(). query() takes ${instead}.`);
}
