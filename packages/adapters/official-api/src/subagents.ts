import { isRecord } from '@hexagent/checks';
import type { LaunchOptions, WarningListener } from '@hexagent/ports';
import { given } from './lenient.ts';
import type { Options } from './types/options.ts';

/**
 * The subagents as they are sent. As in the official package, a server of this process among the servers of one is ignored
 * with a warning: only its name and type are sent.
 */
export function agentsOf(agents: Options['agents'], warn: WarningListener): LaunchOptions['agents'] {
  const named = given(agents) as LaunchOptions['agents']; // sent as they are given
  const changed = Object.entries(named ?? {}).flatMap(([agent, definition]) => {
    const sent = withoutOwnServers(agent, definition, warn);
    return sent === definition ? [] : [[agent, sent] as const];
  });
  return changed.length === 0 ? named : ({ ...named, ...Object.fromEntries(changed) } as LaunchOptions['agents']); // as above
}

function withoutOwnServers(agent: string, definition: unknown, warn: WarningListener): unknown {
  if (!isRecord(definition) || !Array.isArray(definition['mcpServers'])) return definition;
  const items: readonly unknown[] = definition['mcpServers'];
  const hasOwn = (item: unknown): item is object => isRecord(item) && Object.values(item).some(isOwnServer);
  if (!items.some(hasOwn)) return definition;
  const servers = items.map((item) => {
    if (!hasOwn(item)) return item;
    return Object.fromEntries(
      Object.entries(item).map(([name, config]) => {
        if (!isOwnServer(config)) return [name, config];
        const what = `The MCP server ${name} of the subagent ${agent} was ignored: a server of this process works only in the option \`mcpServers\`. Move it there, and add mcp__${name} to the \`tools\` of the subagent if it has such a list.`;
        warn({ code: 'CLAUDE_SDK_AGENT_IN_PROCESS_SERVER', source: `${agent}.${name}`, message: what });
        return [name, { type: 'sdk', name: config['name'] ?? name }];
      }),
    );
  });
  return { ...definition, mcpServers: servers };
}

const isOwnServer = (config: unknown): config is Readonly<Record<string, unknown>> =>
  isRecord(config) && config['type'] === 'sdk' && 'instance' in config;
