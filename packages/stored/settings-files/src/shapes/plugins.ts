import { isRecord } from '@hexagent/checks';
import { knownMarketplaces, marketplace } from './marketplaces.ts';
import { object, record, recordOfPolicy, recordOfReadable } from './objects.ts';
import {
  closing,
  either,
  type Fields,
  flag,
  integer,
  lenientToPersons,
  list,
  listOfPolicy,
  listOfReadable,
  number,
  policyOnly,
  type Shape,
  someText,
  text,
  unreadable,
  url,
  oneOf,
} from './shape.ts';

const optionValues = record(either(text, number(), flag, list(text)));
const customization: Shape = listOfReadable(oneOf('skills', 'agents', 'hooks', 'mcp'));

/** Names a server in one way, and in one only. */
const serverPattern: Shape = (value, author) => {
  const read = object({ serverName: someText, serverCommand: list(text, { from: 1 }), serverUrl: text })(value, author);
  return isRecord(read) && Object.keys(read).length === 1 ? read : unreadable;
};

const remoteServer = object(
  { type: oneOf('http', 'sse'), url: url('https:'), headers: record(text) },
  { needs: ['type', 'url'] },
);

export const pluginShapes: Fields = {
  enabledPlugins: recordOfPolicy(either(list(text), flag)),
  prependPlugins: lenientToPersons(list(text)),
  appendPlugins: lenientToPersons(list(text)),
  pluginConfigs: record(object({ mcpServers: record(optionValues), options: optionValues })),
  extraKnownMarketplaces: knownMarketplaces,
  strictKnownMarketplaces: closing(listOfPolicy(marketplace), []),
  blockedMarketplaces: listOfPolicy(marketplace),
  strictPluginOnlyCustomization: closing(customizationOf, true),
  allowedChannelPlugins: closing(
    listOfPolicy(object({ marketplace: text, plugin: text }, { needs: ['marketplace', 'plugin'] })),
    [],
    { unless: [] },
  ),
  enabledMcpjsonServers: oneOrMore,
  disabledMcpjsonServers: oneOrMore,
  managedMcpServers: policyOnly(recordOfReadable(remoteServer)),
  allowedMcpServers: closing(listOfReadable(serverPattern), [], { unless: [] }),
  deniedMcpServers: listOfReadable(serverPattern),
  skillOverrides: record(oneOf('on', 'name-only', 'user-invocable-only', 'off')),
  skillListingMaxDescChars: integer({ from: 1 }),
  skillListingBudgetFraction: number({ above: 0, to: 1 }),
};

function customizationOf(value: unknown, author: 'person' | 'policy'): unknown {
  if (value === null) return unreadable;
  return author === 'policy'
    ? either(flag, customization)(value, author)
    : lenientToPersons(either(flag, customization))(value, author);
}

/** A person may write one name without the brackets. */
function oneOrMore(value: unknown, author: 'person' | 'policy'): unknown {
  if (author === 'person' && typeof value === 'string' && value !== '') return [value];
  return list(text)(value, author);
}
