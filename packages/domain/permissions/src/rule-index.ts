import type { Rule } from './rules.ts';
import type { ToolCall } from './tool-call.ts';

/** The rules of one list, by tool: a call is compared with those of its own tool only. */
export class RuleIndex {
  readonly #rules = new Map<string, Rule>();
  readonly #byTool = new Map<string, Rule[]>();

  get texts(): readonly string[] {
    return [...this.#rules.keys()];
  }

  has(text: string): boolean {
    return this.#rules.has(text);
  }

  add(rule: Rule): void {
    if (this.#rules.has(rule.text)) return;
    this.#rules.set(rule.text, rule);
    const rules = this.#byTool.get(rule.tool);
    if (rules === undefined) this.#byTool.set(rule.tool, [rule]);
    else rules.push(rule);
  }

  remove(text: string): void {
    const rule = this.#rules.get(text);
    if (rule === undefined) return;
    this.#rules.delete(text);
    const others = (this.#byTool.get(rule.tool) ?? []).filter((other) => other !== rule);
    if (others.length > 0) this.#byTool.set(rule.tool, others);
    else this.#byTool.delete(rule.tool);
  }

  /** The first rule that names the tool of the call, or its server, and that `matches` accepts. */
  find({ tool }: ToolCall, matches: (rule: Rule) => boolean): Rule | undefined {
    for (const name of namesOf(tool)) {
      const rule = this.#byTool.get(name)?.find(matches);
      if (rule !== undefined) return rule;
    }
    return undefined;
  }
}

/** The names under which a rule may cover the tool: its own, and each that may be its server's. */
function namesOf(tool: string): readonly string[] {
  if (!tool.startsWith('mcp__')) return [tool];
  const names = [tool];
  for (let end = tool.indexOf('__', 5); end !== -1; end = tool.indexOf('__', end + 1)) names.push(tool.slice(0, end));
  return names;
}
