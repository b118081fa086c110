import { isRecord } from '@hexagent/checks';
import type { Delivery, DialledServer, LaunchOptions, Plugin } from '@hexagent/ports';
import { recordField, type Addition } from './rows.ts';
import { requireRecord, toJson, wrongValue } from './values.ts';

/*
 * Options for which the program chooses how they travel.
 */

export function addMcpServers(
  servers: Readonly<Record<string, DialledServer>>,
  option: string,
  { mcpServersDelivery }: LaunchOptions,
): Addition {
  const names = Object.keys(requireRecord(option, servers));
  if (names.length === 0) return {};
  const hosted = names.find(
    (name) =>
      isRecord(servers[name]) &&
      Object.entries(servers[name]).some(([key, value]) => key === 'type' && value === 'sdk'),
  );
  if (hosted !== undefined)
    throw wrongValue(option, hosted, 'It runs in this process; only servers that the CLI dials are launched with it.');
  if (mcpServersDelivery === 'initialize')
    return { awaitsInitialize: true, ...recordField('mcpServers')(servers, option) };
  const config = `{"mcpServers":${toJson(option, servers)}}`;
  // Environments and headers hold secrets, and every user of the machine can read arguments.
  return {
    args: ['--mcp-config', mcpServersDelivery === 'argv' ? config : { name: 'mcp-config.json', content: config }],
  };
}

export function addPlugins(plugins: readonly Plugin[], option: string, { pluginDelivery }: LaunchOptions): Addition {
  if (!Array.isArray(plugins)) throw wrongValue(option, plugins, pluginRemedy);
  const checked = plugins.map((plugin: unknown, index) => checkPlugin(plugin, `${option}[${index}]`));
  if (checked.length === 0) return {};
  if (pluginDelivery === 'initialize') return { awaitsInitialize: true, initialize: { plugins: checked } };
  return {
    args: checked.map(({ path, skipMcpDiscovery }) => `--plugin-dir${skipMcpDiscovery ? '-no-mcp' : ''}=${path}`),
  };
}

const pluginRemedy = 'Pass { type: "local", path } for each plugin, with the path of its folder.';

/** The CLI takes an empty path for the folder that it works in. */
function checkPlugin(plugin: unknown, place: string): Plugin {
  const { type, path, skipMcpDiscovery } = requireRecord(place, plugin);
  if (type !== 'local') throw wrongValue(`${place}.type`, type, pluginRemedy);
  if (typeof path !== 'string' || path === '') throw wrongValue(`${place}.path`, path, pluginRemedy);
  return { type, path, ...(skipMcpDiscovery ? { skipMcpDiscovery: true } : {}) };
}

/** Settings travel in `initialize`: every user of the machine can read arguments, which also have a limit of length. */
export function addManagedSettings(
  settings: Readonly<Record<string, unknown>>,
  option: string,
  { managedSettingsDelivery }: LaunchOptions,
): Addition {
  requireRecord(option, settings);
  if (managedSettingsDelivery === 'argv') return { args: ['--managed-settings', toJson(option, settings)] };
  return {
    awaitsInitialize: true,
    args: ['--managed-settings-in-initialize'],
    ...recordField('managedSettings')(settings, option),
  };
}

/** Adds nothing: the row of the option that travels reads it. */
export function checkDelivery(value: Delivery, option: string): Addition {
  if (value !== 'argv' && value !== 'initialize') throw wrongValue(option, value, 'Pass argv or initialize.');
  return {};
}
