import { knownToolNames, meantTool, shown } from '@hexagent/checks';
import type { FeatureControl, SessionFeature } from '@hexagent/ports';

/**
 * Warns of rules whose tool name is a misspelling of an existing one: the agent accepts them and never applies them.
 * It lists its tools when its first turn begins. Tools of MCP servers may come later, and a name that
 * resembles none may belong to a newer agent.
 */
export class UnknownTools {
  /** The unknown tools, each with the place of its first rule. */
  readonly #places = new Map<string, string>();
  /** The unknown tools that wait for the agent's list. */
  readonly #unread = new Set<string>();
  #listed: readonly string[] | undefined;
  #control: FeatureControl | undefined;

  get hasAny(): boolean {
    return this.#places.size > 0;
  }

  /** `place` is the name of the list in the warning. */
  add(place: string, rules: readonly string[]): void {
    const known = new Set(knownToolNames());
    for (const rule of rules) {
      const tool = rule.replace(/\(.*/s, '').trim();
      if (known.has(tool) || tool.startsWith('mcp__') || tool.includes('*') || this.#places.has(tool)) continue;
      this.#places.set(tool, place);
      this.#unread.add(tool);
    }
    this.#compare();
  }

  attach(control: FeatureControl): void {
    this.#control = control;
  }

  toolsListed(tools: readonly string[]): void {
    this.#listed = tools;
    this.#compare();
  }

  #compare(): void {
    if (this.#listed === undefined || this.#unread.size === 0) return;
    for (const tool of this.#unread) {
      const meant = meantTool(tool, this.#listed);
      if (meant !== undefined) this.#warn(tool, meant);
    }
    this.#unread.clear();
  }

  #warn(tool: string, meant: string): void {
    const place = this.#places.get(tool) ?? '';
    this.#control?.warn({
      code: 'HEXAGENT_RULE_MISSPELT',
      source: `${place} ${tool}`,
      message: `A rule of \`${place}\` names ${shown(tool)}, and the agent has no such tool: it covers nothing. Did you mean ${shown(meant)}?`,
    });
  }
}

/**
 * The same for rules that no policy holds, by the name of their list; `undefined` if no tool is unknown. An invalid rule is
 * refused by the launch.
 */
export function unknownToolsFeature(lists: Readonly<Record<string, unknown>>): SessionFeature | undefined {
  const tools = new UnknownTools();
  for (const [place, rules] of Object.entries(lists))
    if (Array.isArray(rules))
      tools.add(
        place,
        rules.filter((rule: unknown) => typeof rule === 'string'),
      );
  if (!tools.hasAny) return undefined;
  return {
    name: 'rules',
    attach: (control) => tools.attach(control),
    toolsListed: (names) => tools.toolsListed(names),
  };
}
