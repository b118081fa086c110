import type { Addition } from './rows.ts';
import { requireRecord, requireStrings, wrongValue } from './values.ts';

const switches = ['enabled', 'failIfUnavailable', 'autoAllowBashIfSandboxed', 'allowUnsandboxedCommands'];

/** Lists of texts, by the part of the sandbox that they are in. */
const lists: Readonly<Record<string, readonly string[]>> = {
  network: ['allowedDomains', 'deniedDomains', 'allowUnixSockets', 'allowMachLookup'],
  filesystem: ['allowWrite', 'denyWrite', 'denyRead', 'allowRead'],
};

/**
 * The sandbox, with what restricts the agent checked: over one value of a wrong type the CLI drops all settings that it
 * travels with, deny rules among them, without an error. Unknown fields are passed on.
 */
export function addSandbox(value: Readonly<Record<string, unknown>>, option: string): Addition {
  const sandbox = requireRecord(option, value);
  for (const name of switches)
    if (sandbox[name] !== undefined && typeof sandbox[name] !== 'boolean')
      throw wrongValue(`${option}.${name}`, sandbox[name], 'Pass true or false.');
  checkLists(sandbox, ['excludedCommands'], option);
  for (const [part, names] of Object.entries(lists)) {
    const place = `${option}.${part}`;
    if (sandbox[part] !== undefined) checkLists(requireRecord(place, sandbox[part]), names, place);
  }
  return { sandbox };
}

function checkLists(part: Readonly<Record<string, unknown>>, names: readonly string[], place: string): void {
  for (const name of names)
    if (part[name] !== undefined)
      requireStrings(`${place}.${name}`, part[name], 'Pass each text as an item of its own.');
}
