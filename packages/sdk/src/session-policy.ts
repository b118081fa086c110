import { withHandledPromises } from '@hexagent/async';
import type {
  Asks,
  EnforcedPolicy,
  PermissionPolicy,
  PermissionRules,
  PolicyDecision,
  PolicyMode,
  RuleLists,
  ToolCall,
} from '@hexagent/permissions';
import type { CliPermissionMode } from '@hexagent/ports';
import { permissionRules, policyMode, toolName } from './checks/tool-names.ts';
import { toolInput } from './checks/input.ts';
import type { CheckedOptions, SessionOptions } from './session-options.ts';
import { subagentOf } from './subagents.ts';

/** Which tools the session's agent may use, as it stands now. */
export interface SessionPolicy {
  /** The decision about a call that no rule decides; `deny` denies every call. */
  readonly mode: PolicyMode;
  /** Resolves when it holds. */
  setMode(mode: PolicyMode): Promise<void>;
  /** The rules as plain data: `permissions` of another session may be made of them. */
  readonly rules: RuleLists;
  /** Adds rules; those already there stay as they are. Resolves when they hold. */
  add(rules: PermissionRules): Promise<void>;
  /** Takes rules back, by their text. Rejects, and removes nothing, when one of them is not there. Resolves when it holds. */
  remove(rules: PermissionRules): Promise<void>;
  /** How a call would be decided, by which rule or mode, and why. */
  explain(tool: string, input?: Readonly<Record<string, unknown>>): PermissionExplanation;
}

/** A decision about a call, and what it cannot foresee. */
export interface PermissionExplanation extends Omit<PolicyDecision, 'decision'> {
  /**
   * `cli`: no rule decides, so the CLI runs what it finds harmless without asking, such as a command that only reads in the working
   * directory. It asks about the rest, which is denied without `onAsk`.
   */
  readonly decision: PolicyDecision['decision'] | 'cli';
  /** What else influences the decision: the CLI's own mode, settings files, hooks. */
  readonly besides: readonly string[];
}

interface PolicyOfSession {
  readonly policy: PermissionPolicy;
  readonly enforced: EnforcedPolicy | undefined;
  readonly asks: Asks;
  /** Those that an explanation names. */
  readonly options: Pick<CheckedOptions, 'permissions' | 'settings' | 'hooks' | 'agents'>;
}

type Explained = Pick<PolicyOfSession, 'policy' | 'asks' | 'options'>;

export function toSessionPolicy({
  policy,
  enforced,
  asks,
  // Not as a whole: the environment among them would stay in memory for as long as the session.
  options: { permissions, settings, hooks, agents },
}: PolicyOfSession): SessionPolicy {
  const changeable = (): EnforcedPolicy => {
    if (enforced !== undefined) return enforced;
    throw new TypeError(
      'This session was opened without a policy, so its agent does not ask about its calls. Open it with `permissions: { mode: "ask" }` to change the policy later.',
    );
  };
  return withHandledPromises<SessionPolicy>({
    get mode() {
      return policy.mode;
    },
    get rules() {
      return policy.rules;
    },
    setMode: async (mode) => await changeable().setMode(policyMode(mode, 'mode')),
    add: async (rules) => await changeable().add(permissionRules(rules, 'rules')),
    remove: async (rules) => await changeable().remove(permissionRules(rules, 'rules')),
    explain(tool, input = {}) {
      const call = { tool: toolName(tool, 'tool'), input: toolInput(input, 'input') };
      return explained(call, { policy, asks, options: { permissions, settings, hooks, agents } });
    },
  });
}

function explained(call: ToolCall, parts: Explained): PermissionExplanation {
  const decided = parts.policy.decide(call);
  const besides = besidesThePolicy(decided, call, parts);
  if (decided.decision !== 'ask') return { ...decided, besides };
  const denied = whyNothingIsAnswered(parts);
  if (decided.by.kind === 'nothing' && !isSurelyAsked(call.tool, parts.options)) {
    const rest =
      denied === undefined
        ? 'It asks about what it does not find harmless.'
        : `What it would ask about is denied: ${denied}`;
    return { ...decided, decision: 'cli', why: `${decided.why} The CLI does. ${rest}`, besides };
  }
  if (denied === undefined) return { ...decided, besides };
  return { ...decided, decision: 'deny', why: `${decided.why} It is denied: ${denied}`, besides };
}

function whyNothingIsAnswered({ asks, options: { permissions } }: Explained): string | undefined {
  if (permissions?.cliMode === 'dontAsk') return 'the mode "dontAsk" of the CLI denies what it would ask about.';
  return asks.hasAnyone ? undefined : 'there is nobody to ask.';
}

/** Whether the CLI never finds a call of this tool harmless. Rules of settings files may allow it, and those of an MCP server its tools. */
function isSurelyAsked(tool: string, { permissions, settings }: Explained['options']): boolean {
  if (loadsSettings(settings)) return false;
  const { cliMode = 'default' } = permissions ?? {};
  const asksAboutEdits = cliMode === 'default' || cliMode === 'dontAsk';
  if (tool === 'Write' || tool === 'Edit') return asksAboutEdits;
  return tool === 'WebSearch' && (asksAboutEdits || cliMode === 'acceptEdits');
}

const loadsSettings = (settings: SessionOptions['settings'] = 'none'): boolean =>
  settings !== 'none' && settings.length > 0;

const isNarrowed = ({ decision, by }: PolicyDecision): boolean =>
  decision === 'deny' || (by.kind === 'rule' && by.list === 'ask');

/** The other influences, which the policy cannot read. None of them weakens what the policy denies or passes to a person. */
function besidesThePolicy(decided: PolicyDecision, call: ToolCall, { policy, options }: Explained): readonly string[] {
  if (isNarrowed(decided)) return [];
  const { permissions = {}, settings, hooks, agents } = options;
  const owner = subagentOf(call.tool, agents);
  const { cliMode = 'default' } = permissions;
  const hasContent = policy.rules.allow.some((rule) => rule.includes('('));
  const isByContent =
    decided.by.kind === 'rule' ? decided.by.rule.includes('(') : decided.decision === 'ask' && hasContent;
  return [
    `The CLI was started in its mode "${cliMode}". ${modeMeanings[cliMode]} The mode may have changed since.`,
    ...(decided.decision === 'ask' && hasContent
      ? ['The CLI has the allow rules with content, too. What it finds covered by one of them runs without asking.']
      : []),
    ...(isByContent ? policy.caveatsOf(call) : []),
    loadsSettings(settings)
      ? 'Rules and hooks of settings files count too. The SDK does not read them.'
      : 'The session reads no settings files: rules that are stored there have no effect.',
    ...(owner === undefined ? [] : [`Only calls of the agent ${owner} run. Those of the others are denied.`]),
    ...(hooks === undefined ? [] : ['Hooks of the program may decide otherwise.']),
  ];
}

const modeMeanings: Readonly<Record<CliPermissionMode, string>> = {
  default: 'What it finds harmless runs without asking.',
  acceptEdits: 'What it finds harmless, and changes of files in the working directory, run without asking.',
  bypassPermissions: 'It asks about nothing but questions to a person: what no rule denies or asks about runs.',
  plan: 'It refuses what changes something, or asks about it.',
  dontAsk: 'It denies what it would ask about, without asking.',
  auto: 'A model decides what runs without asking.',
};
