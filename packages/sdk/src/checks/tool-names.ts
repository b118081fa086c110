import { type Check, list, oneOf, record, refuse, shown, text, wrongCapitals } from '@hexagent/checks';
import type { PermissionRules, PolicyMode } from '@hexagent/permissions';

/** The CLI takes a name of other capitals for a tool that it does not have: a rule would then match no call. */
function checkCapitals(name: string, place: string): void {
  const wrong = wrongCapitals(name);
  if (wrong !== undefined) throw new TypeError(`\`${place}\` ${wrong}`);
}

/** A rule begins with its tool: `Bash(rm *)`. */
const naming =
  (check: Check<string>): Check<string> =>
  (value, place) => {
    const rule = check(value, place);
    checkCapitals(rule.replace(/\(.*/s, ''), place);
    return rule;
  };

/** Tools by name. */
export const anyTool: Check<string> = naming(text('a name'));
export const toolNames: Check<readonly string[]> = list(anyTool, 'a list of names');
/** The name of a tool that comes with the CLI, or of a newer one. */
export const builtInTool: Check<string> = (value, place) => {
  const name = anyTool(value, place);
  if (/[\s,(]/.test(name)) throw refuse(place, 'one name, as an item of its own', shown(name));
  if (!name.startsWith('mcp__')) return name;
  throw new TypeError(
    `\`${place}\` ${shown(name)} names tools of a server. They exist where the server itself stands in \`tools\`; allow them by \`permissions.allow\`.`,
  );
};
export const toolName: Check<string> = naming(text('the name of a tool'));
export const rules: Check<readonly string[]> = list(naming(text('a rule')), 'a list of rules');
export const permissionRules: Check<PermissionRules> = record<PermissionRules>({
  allow: rules,
  deny: rules,
  ask: rules,
});

const cliModes: ReadonlySet<unknown> = new Set([
  'default',
  'acceptEdits',
  'bypassPermissions',
  'plan',
  'dontAsk',
  'auto',
]);
const isPolicyMode = oneOf<PolicyMode>('ask', 'allow', 'deny');

/** The CLI's own modes are another option. */
export const policyMode: Check<PolicyMode> = (value, place) => {
  if (!cliModes.has(value)) return isPolicyMode(value, place);
  throw new TypeError(`\`${place}\` ${shown(value)} is a mode of the CLI. Pass it as \`permissions.cliMode\`.`);
};
