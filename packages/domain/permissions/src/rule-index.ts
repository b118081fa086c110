import { matchesGlob } from './glob.ts';
import { keyOf } from './rule-content.ts';
import type { Rule } from './rules.ts';
import type { ReadCall } from './tool-call.ts';
import { contentKindOf } from './tool-families.ts';

/** The rules of one list, by tool and by a part of their content: a call is compared with few of them. */
export class RuleIndex {
  readonly #rules = new Map<string, Rule>();
  readonly #byTool = new Map<string, RulesOfTool>();
  /** Rules whose tool has a wildcard. */
  readonly #ofSeveral = new Set<Rule>();

  get texts(): readonly string[] {
    return [...this.#rules.keys()];
  }

  has(text: string): boolean {
    return this.#rules.has(text);
  }

  add(rule: Rule): void {
    if (this.#rules.has(rule.text)) return;
    this.#rules.set(rule.text, rule);
    if (rule.tools !== undefined) {
      this.#ofSeveral.add(rule);
      return;
    }
    const rules = this.#byTool.get(rule.tool) ?? new RulesOfTool();
    this.#byTool.set(rule.tool, rules);
    rules.add(rule);
  }

  remove(text: string): void {
    const rule = this.#rules.get(text);
    if (rule === undefined) return;
    this.#rules.delete(text);
    this.#ofSeveral.delete(rule);
    this.#byTool.get(rule.tool)?.remove(rule);
  }

  /** The first rule without content that names the tool, its server, or the other tool. */
  findWhole({ tool }: ReadCall, isMeant: (rule: Rule) => boolean, other?: string): Rule | undefined {
    for (const name of namesOf(tool, other)) {
      const rule = this.#byTool.get(name)?.whole;
      if (rule !== undefined && isMeant(rule)) return rule;
    }
    const text = tool.toLowerCase();
    for (const rule of this.#ofSeveral)
      if (rule.tools !== undefined && matchesGlob(rule.tools, text) && isMeant(rule)) return rule;
    return undefined;
  }

  /** The rules with content for one of these tools, without those that cannot cover the call. */
  withContent(tools: readonly string[], call: ReadCall): readonly Rule[] {
    return tools.flatMap((tool) => {
      const rules = this.#byTool.get(tool);
      const kind = contentKindOf(tool);
      return rules === undefined || kind === undefined || !rules.hasContent ? [] : rules.withKeys(call.keys(kind));
    });
  }
}

class RulesOfTool {
  readonly #whole = new Set<Rule>();
  readonly #byKey = new Map<string, Set<Rule>>();
  readonly #keyless = new Set<Rule>();

  /** Several texts may mean the same: `Bash` and `Bash(*)`. */
  get whole(): Rule | undefined {
    const [rule] = this.#whole;
    return rule;
  }

  get hasContent(): boolean {
    return this.#byKey.size > 0 || this.#keyless.size > 0;
  }

  add(rule: Rule): void {
    this.#setOf(rule).add(rule);
  }

  remove(rule: Rule): void {
    this.#setOf(rule).delete(rule);
  }

  /** The rules that have one of the keys, and those without a key. Without keys, all. */
  withKeys(keys: ReadonlySet<string> | undefined): readonly Rule[] {
    if (keys === undefined) return [...[...this.#byKey.values()].flatMap((rules) => [...rules]), ...this.#keyless];
    const rules = [...this.#keyless];
    for (const key of keys) for (const rule of this.#byKey.get(key) ?? []) rules.push(rule);
    return rules;
  }

  #setOf({ content }: Rule): Set<Rule> {
    if (content === undefined) return this.#whole;
    const key = keyOf(content);
    if (key === undefined) return this.#keyless;
    const rules = this.#byKey.get(key) ?? new Set();
    this.#byKey.set(key, rules);
    return rules;
  }
}

/** The names under which a rule may cover the tool: its own, another, and each that may be its server's. */
function namesOf(tool: string, also: string | undefined): readonly string[] {
  const names = [tool, ...(also === undefined ? [] : [also])];
  if (tool.startsWith('mcp__'))
    for (let end = tool.indexOf('__', 5); end !== -1; end = tool.indexOf('__', end + 1)) names.push(tool.slice(0, end));
  return names;
}
