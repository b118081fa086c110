import type { Options } from './types/options.ts';

/** Options of the native face, and what does the same here. The official package ignores any unknown name. */
const nativeOptions: Readonly<Record<string, string>> = {
  permissions: '`canUseTool`, `allowedTools`, `disallowedTools` and `permissionMode`',
  approver: '`canUseTool`',
  onQuestion: '`canUseTool`',
  onPlan: '`canUseTool`',
  ownTools: '`mcpServers` with createSdkMcpServer()',
};

/**
 * An option that is silently ignored is worse than one that is missing.
 * @throws {TypeError} for an option of openSession(), with which a rule or a tool would be missing.
 */
export function refuseUnsupported(options: Options): void {
  for (const [name, instead] of Object.entries(nativeOptions))
    if (Reflect.get(options, name))
      throw new TypeError(`\`${name}\` is an option of openSession() and ask(). query() takes ${instead}.`);
}
