import {
  anyText,
  type Check,
  dictionary,
  effort,
  flag,
  list,
  mode,
  names,
  positive,
  record,
  source,
  text,
  wholePositive,
} from '@hexagent/checks';
import { dialledServer } from '@hexagent/mcp-sdk-server';
import { withSubagentServers, type SessionSubagents, type Subagent } from '../subagents.ts';
import { ownTool } from './own-server.ts';
import { anyTool, toolNames } from './tool-names.ts';

const toolOrName: Check<NonNullable<Subagent['tools']>[number]> = (value, place) =>
  typeof value === 'object' && value !== null ? ownTool(value, place) : anyTool(value, place);

/** The CLI drops an invalid definition, and ignores an unknown key, both without an error. */
const agent: Check<Subagent> = record<Subagent>(
  {
    description: text(),
    prompt: text(),
    tools: list(toolOrName, 'a list of names of tools and of what tool() makes'),
    disallowedTools: toolNames,
    model: text(),
    mcpServers: list((value, place) =>
      typeof value === 'string' ? text()(value, place) : dictionary(dialledServer)(value, place),
    ),
    criticalSystemReminder_EXPERIMENTAL: anyText,
    skills: names,
    initialPrompt: anyText,
    maxTurns: wholePositive,
    autoCompactWindow: wholePositive,
    background: flag,
    omitClaudeMd: flag,
    memory: source,
    effort: (value, place) => (typeof value === 'number' ? positive(value, place) : effort(value, place)),
    permissionMode: mode,
    observer: anyText,
    observerMessage: anyText,
  },
  { required: ['description', 'prompt'], elsewhere: { allowedTools: 'tools', systemPrompt: 'prompt' } },
);

export const definitions: Check<Readonly<Record<string, Subagent>>> = dictionary(agent);

export const agents: Check<SessionSubagents> = (value, place) => withSubagentServers(definitions(value, place));
