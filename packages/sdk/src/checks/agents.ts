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
import type { Subagent } from '@hexagent/ports';
import { dialledServer } from '@hexagent/mcp-sdk-server';
import { toolNames } from './tool-names.ts';

/** The CLI drops an invalid definition, and ignores an unknown key, both without an error. */
export const agent: Check<Subagent> = record<Subagent>(
  {
    description: text(),
    prompt: text(),
    tools: toolNames,
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
