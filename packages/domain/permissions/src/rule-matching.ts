import { serverInToolNames } from '@hexagent/checks';
import { mayMatch, surelyCoverAll, type CommandPattern } from './command-rules.ts';
import { isDomain } from './domain-rules.ts';
import { matchesGlob } from './glob.ts';
import { isInFolders, mayCoverPath, surelyCoversPath } from './path-rules.ts';
import type { Content } from './rule-content.ts';
import type { Rule } from './rules.ts';
import type { ReadCall } from './tool-call.ts';

/** Whether the content of a rule may cover the call: what cannot be read may be anything. */
export function mayCover(content: Content, call: ReadCall): boolean {
  switch (content.kind) {
    case 'command':
      return call.command === undefined || mayMatch(content.pattern, call.command, call.reading);
    case 'path':
      return call.paths.length === 0 || mayCoverPath(content.pattern, call.paths, call.places);
    case 'domain':
      return call.domain === undefined || isDomain(content.pattern, call.domain);
    default:
      return call.name === undefined || matchesGlob(content.pattern, call.name);
  }
}

/** Why a rule matches a command in which its program is not to be seen; empty where it is. */
export function doubtAbout({ content }: Rule, call: ReadCall): string {
  if (content?.kind !== 'command' || call.command === undefined) return '';
  const { anything } = call.reading;
  return anything === undefined ? '' : ` The command may run anything: ${anything}.`;
}

/** Whether the rules together surely cover the whole call; one of them is returned. */
export function surelyCovering(rules: readonly Rule[], call: ReadCall): Rule | undefined {
  const single = rules.find(({ content }) => content !== undefined && isSurely(content, call));
  if (single !== undefined || call.command === undefined) return single;
  const patterns = rules.flatMap(({ content }) => (content?.kind === 'command' ? [content.pattern] : []));
  // Each part of a compound command may have another rule: that of the first is returned.
  if (!coverCommand(patterns, call)) return undefined;
  const [part = []] = call.reading.parts;
  return rules.find(({ content }) => content?.kind === 'command' && surelyCoverAll([content.pattern], [part]));
}

function isSurely(content: Content, call: ReadCall): boolean {
  switch (content.kind) {
    case 'command': {
      const { command } = call;
      if (command === undefined) return false;
      return (
        (content.exact === command.trim() && isOneCommand(call) && staysInside(call)) ||
        coverCommand([content.pattern], call)
      );
    }
    case 'path':
      return surelyCoversPath(content.pattern, call.paths, call.places);
    case 'domain':
      return call.domain !== undefined && isDomain(content.pattern, call.domain);
    default:
      return call.name !== undefined && matchesGlob(content.pattern, call.name);
  }
}

const coverCommand = (patterns: readonly CommandPattern[], call: ReadCall): boolean =>
  call.reading.isCertain && staysInside(call) && surelyCoverAll(patterns, call.reading.parts);

/** The agent compares the parts of a command with rules, and asks about the file that a redirection writes to. */
function isOneCommand({ tool, reading }: ReadCall): boolean {
  return tool === 'PowerShell' || (reading.parts.length === 1 && !reading.writesFile);
}

const namesPlace = /^[/~]|(?:^|\/)\.\.(?:\/|$)/;

/** Whether a command names only files in the folders: about others the agent may ask although a rule covers the command. */
function staysInside({ reading, places }: ReadCall): boolean {
  if (places.folders.length === 0) return true;
  const given = reading.parts.flatMap((words) => words.slice(1));
  return given.every(({ text }) => {
    const value = text.replace(/^-*[\w-]+=/, '');
    return !namesPlace.test(value) || isInFolders(value, places);
  });
}

/** Whether a rule names the tool, or what may be its server. */
export function mayNameTool({ tool: rule, tools }: Rule, tool: string): boolean {
  if (tools !== undefined) return matchesGlob(tools, tool.toLowerCase());
  return tool === rule || (rule.startsWith('mcp__') && tool.startsWith(`${rule}__`));
}

/** Whether an allow rule means the tool of the call. `mcp__a__b__c` may be tool `b__c` of server `a`, or tool `c` of `a__b`. */
export function isSurelyTool({ tool: rule }: Rule, { tool, server }: ReadCall): boolean {
  if (tool === rule) return true;
  const ofServer = rule.endsWith('*') ? rule.slice(0, rule.lastIndexOf('__')) : rule;
  if (rule.endsWith('*') && !tool.startsWith(rule.slice(0, -1))) return false;
  if (server) return ofServer === serverInToolNames(server);
  return !tool.slice(ofServer.length + 2).includes('__');
}
