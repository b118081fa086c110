import { currentToolName, serverInToolNames, shown } from '@hexagent/checks';
import type { HookInputOf, HookOutput } from '@hexagent/ports';
import { denied } from './fixed-answers.ts';
import type { HookCall } from './hook-call.ts';
import { createHooks, type HookSet } from './hook-set.ts';
import { wrongWithServerOrTool } from './wrong-matchers.ts';

/** The tool that is called, and its server. */
interface Called {
  readonly tool: string;
  readonly server: HookInputOf<'PreToolUse'>['mcp_server'];
}

/**
 * A set of hooks that refuses the calls of all tools except these, in subagents too, even if a rule or hook allows them. A name is
 * that of a tool, or of a server for all of its tools and for those of no other server: `mcp__files`.
 * @throws {TypeError} without a name, or for a name that no tool can have.
 */
export function onlyTools(...names: readonly string[]): HookSet {
  const named = checked('hooks.onlyTools()', names);
  const isAllowed = ({ tool, server }: Called): boolean =>
    named.has(tool) || named.has(server === undefined ? surelyServerOf(tool) : serverInToolNames(server.name));
  return refusing((called) => !isAllowed(called), `Only these tools may be used: ${names.join(', ')}.`);
}

/**
 * A set of hooks that refuses the calls of these tools, in subagents too, even if a rule or hook allows them. A name is that of
 * a tool, or of a server for all of its tools: `mcp__files`. As the CLI's own deny rules, it counts for each server whose
 * tools may be meant, such as `files__x`, and `Bash` for `Monitor` too, which runs what Bash runs.
 * @throws {TypeError} without a name, or for a name that no tool can have.
 */
export function withoutTools(...names: readonly string[]): HookSet {
  const named = checked('hooks.withoutTools()', names);
  if (named.has('Bash')) named.add('Monitor');
  const servers = [...named].filter((name) => name.startsWith('mcp__')).map((name) => `${name}__`);
  return refusing(
    ({ tool }) => named.has(tool) || servers.some((server) => tool.startsWith(server)),
    'This tool may not be used.',
  );
}

function refusing(isRefused: (called: Called) => boolean, reason: string): HookSet {
  const hook = ({ tool, request }: HookCall<'PreToolUse'>): HookOutput<'PreToolUse'> =>
    isRefused({ tool, server: request.mcp_server }) ? denied(`${tool} was refused. ${reason}`) : {};
  return createHooks().on('PreToolUse', hook, { onFailure: 'block' });
}

/** The server of a tool, where its name leaves no doubt: `mcp__a__b__c` may be tool `b__c` of `a`, or tool `c` of `a__b`. */
function surelyServerOf(tool: string): string {
  const parts = tool.split('__');
  return parts[0] === 'mcp' && parts.length === 3 ? `mcp__${parts[1]}` : '';
}

function checked(caller: string, given: readonly string[]): Set<string> {
  if (given.length === 0) throw new TypeError(`${caller} needs the name of a tool.`);
  for (const name of given) {
    if (typeof name !== 'string') throw new TypeError(`${caller} takes names of tools, not ${shown(name)}.`);
    const wrong = wrongWithServerOrTool(name);
    if (wrong !== undefined) throw new TypeError(`${caller} ${wrong}`);
  }
  return new Set(given.map(currentToolName));
}
