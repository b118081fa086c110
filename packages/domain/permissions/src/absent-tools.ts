import { isToolName, meantTool, shown } from '@hexagent/checks';
import type { FeatureControl, SessionFeature } from '@hexagent/ports';

/**
 * Warns of names in `tools` that the agent does not list: it accepts them, and has then fewer tools than the program means. A tool
 * of some version of the CLI may be absent for a reason, and those of MCP servers may come later. `undefined` if no name is unknown.
 */
export function absentToolsFeature(names: readonly string[] = []): SessionFeature | undefined {
  const unknown = names.filter((name) => !isToolName(name) && !name.startsWith('mcp__'));
  if (unknown.length === 0) return undefined;
  let control: FeatureControl | undefined;
  return {
    name: 'tools',
    attach: (given) => void (control = given),
    toolsListed(listed) {
      for (const name of unknown)
        if (!listed.includes(name))
          control?.warn({
            code: 'HEXAGENT_TOOL_UNKNOWN',
            source: `tools ${name}`,
            message: `\`tools\` names ${shown(name)}, and the agent has no such tool. ${adviceOn(name, listed)}`,
          });
    },
  };
}

function adviceOn(name: string, listed: readonly string[]): string {
  const meant = meantTool(name, listed);
  if (meant !== undefined) return `Did you mean ${shown(meant)}?`;
  return 'Pass a tool made by `tool()` itself, not its name.';
}
