import { type Check, kindOf, list, oneOf, record, refuse, shown, text, wrongCapitals } from '@hexagent/checks';
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
const builtInTool = naming(text('a name'));
export const toolNames: Check<readonly string[]> = list(builtInTool, 'a list of names');
/** The same, for the option that a tool of the program's own is easily passed in. */
export const builtInTools: Check<readonly string[]> = list((value, place) => {
  if (typeof value === 'object' && value !== null)
    throw refuse(place, 'the name of a built-in tool', `${kindOf(value)}: pass a tool of your own in \`ownTools\``);
  const name = builtInTool(value, place);
  if (/[\s,]/.test(name)) throw refuse(place, 'one name, as an item of its own', shown(name));
  return name;
}, 'a list of names');
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
