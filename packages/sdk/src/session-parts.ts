import { throwWarning } from '@hexagent/checks';
import { HostedServers } from '@hexagent/mcp-sdk-server';
import { Asks, EnforcedPolicy, PermissionPolicy, readOnce } from '@hexagent/permissions';
import type { CommandReader } from '@hexagent/ports';
import { tokens } from './compose.ts';
import type { DependencyContainer } from './container.ts';
import { environmentOf, retriesVariable } from './environment.ts';
import { featuresOf } from './features.ts';
import { Output } from './output/output.ts';
import { foldersOf, hasPolicy, launchOptionsOf, settingSourcesOf, type CheckedOptions } from './session-options.ts';
import { defaultTools, hostedServersOf } from './session-tools.ts';
import type { ConversationParts } from './starting.ts';
import { withSubagentHooks } from './subagents.ts';
import { toolOutputFeature } from './tool-output/tool-output-feature.ts';
import { warnOfUnreachable } from './unreachable.ts';
import { watchesOf } from './watches.ts';

/** What serves one session, made of its options. */
export interface SessionParts {
  readonly options: CheckedOptions;
  readonly output: Output | undefined;
  /** Whether parts of the program may allow what no rule does. */
  readonly mayAllow: boolean;
  readonly commands: CommandReader;
  readonly policy: PermissionPolicy;
  readonly enforced: EnforcedPolicy | undefined;
  readonly asks: Asks;
  readonly hosted: HostedServers;
}

/** The parts that answer the agent of one session. `ask()` has no list of pending requests. */
export function sessionPartsOf(
  scope: DependencyContainer,
  options: CheckedOptions,
  { isAnswerable, mayAllow }: { readonly isAnswerable: boolean } & Pick<SessionParts, 'mayAllow'>,
): SessionParts {
  const [clock, commands] = [scope.resolve(tokens.clock), readOnce(scope.resolve(tokens.commands))];
  const { permissions: { expiresAfterMs } = {}, onAsk, dialogKinds } = options;
  return {
    options,
    output: options.output === undefined ? undefined : new Output(options.output),
    mayAllow,
    commands,
    ...policyOf(options, commands),
    asks: new Asks({
      ...{ onAsk, dialogKinds, expiresAfterMs, isAnswerable, clock },
      environment: { commands, cwd: foldersOf(options).cwd, sources: settingSourcesOf(options) },
    }),
    hosted: new HostedServers(hostedServersOf(options.tools ?? defaultTools), { clock }),
  };
}

/** The policy of a session, and its enforcement by hooks; left out without rules and a mode, so that no call waits for a hook. */
function policyOf(options: CheckedOptions, commands: CommandReader): Pick<SessionParts, 'policy' | 'enforced'> {
  const { allow, deny, ask, mode } = options.permissions ?? {};
  const policy = new PermissionPolicy({ commands, allow, deny, ask, mode, ...foldersOf(options) });
  return { policy, enforced: hasPolicy(options) ? new EnforcedPolicy(policy) : undefined };
}

/** How the conversation of a session is opened. The launch needs the loaded schema of the output. */
export function conversationPartsOf(scope: DependencyContainer, asked: SessionParts): ConversationParts {
  const { options, output, commands, policy, enforced, asks, hosted } = asked;
  const warn = options.strict === true ? throwWarning : scope.resolve(tokens.warn);
  warnOfUnreachable(options, { policy: asked.mayAllow ? undefined : policy, hosted }, warn);
  const { permissions = {}, signal } = options;
  const hooks = withSubagentHooks(options.agents, options.hooks);
  const { backgroundTasks, initializeTimeoutMs, softMarkBytes, hardMarkBytes } = options;
  const env = environmentOf(options);
  const launchOptions = launchOptionsOf(options, env);
  const { allow, deny, ask, mode } = permissions;
  const approver = asks.hasAnyone ? asks.ask : undefined;
  const { isAskedElsewhere, listDenyRules } = enforced ?? {};
  const ofAgent = { commands, policy, isAskedElsewhere, listDenyRules };
  const gate = enforced && scope.resolve(tokens.gate)({ allow, deny, ask, mode, approver, ...ofAgent });
  const features = featuresOf(scope, {
    gate,
    policy: enforced,
    builtIn: options.tools?.builtIn,
    asks: asks.feature,
    hooks: output?.hooks(hooks) ?? hooks,
    output: output?.feature,
    hosted: hosted.feature,
    watches: watchesOf(options, scope.resolve(tokens.clock)),
    toolOutput:
      options.toolOutput === true ? toolOutputFeature({ env, clock: scope.resolve(tokens.clock) }) : undefined,
  });
  const settings: ConversationParts['settings'] = {
    signal,
    backgroundTasks,
    budget: options.budget,
    // If the program sets the number of attempts, it applies to refused credentials too.
    refusedCredentials: env[retriesVariable] === undefined ? 'fail' : 'retry',
    initializeTimeoutMs,
    softMarkBytes,
    hardMarkBytes,
  };
  return { launchOptions, features, settings };
}
