import { hooksFeature } from '@hexagent/hooking';
import {
  absentToolsFeature,
  unknownToolsFeature,
  permissionsFeature,
  type EnforcedPolicy,
} from '@hexagent/permissions';
import type { DialogHost, Elicitor, HookTable, PermissionGate, SessionFeature } from '@hexagent/ports';
import { tokens } from './compose.ts';
import type { DependencyContainer } from './container.ts';

/** The callbacks of a program, of either door. */
export interface Callbacks {
  readonly gate?: PermissionGate | undefined;
  /** Held for every call, by a hook before those of the program. */
  readonly policy?: EnforcedPolicy | undefined;
  /** Rules that no policy holds, by the name of their list. */
  readonly rules?: Readonly<Record<string, readonly string[] | undefined>> | undefined;
  /** The built-in tools that exist, by name. */
  readonly builtIn?: readonly string[] | undefined;
  /** Requests to people, also of MCP servers and dialogs. */
  readonly asks?: SessionFeature | undefined;
  readonly hooks?: HookTable | undefined;
  /** What asks for outputs by a schema. */
  readonly output?: SessionFeature | undefined;
  /** Delivers what running commands write. */
  readonly toolOutput?: SessionFeature | undefined;
  /** The servers of this process. */
  readonly hosted?: SessionFeature | undefined;
  /** What watches the turns. */
  readonly watches?: readonly SessionFeature[] | undefined;
  readonly elicitor?: Elicitor | undefined;
  readonly dialogs?: (DialogHost & { readonly kinds: readonly string[] | undefined }) | undefined;
}

/**
 * The features of one conversation. For a callback that is not given there is no feature: the agent then does not ask for it, and
 * its input is not kept open.
 */
export function featuresOf(
  scope: DependencyContainer,
  { gate, policy, rules, builtIn, asks, hooks, output, hosted, watches = [], toolOutput, elicitor, dialogs }: Callbacks,
): readonly SessionFeature[] {
  return [
    policy?.feature,
    rules && unknownToolsFeature(rules),
    absentToolsFeature(builtIn),
    gate && permissionsFeature(gate),
    asks,
    hooksOf(scope, { policy, hooks }),
    output,
    hosted,
    ...watches,
    toolOutput,
    elicitor && elicitationFeature(elicitor),
    dialogs && dialogsFeature(dialogs),
    ...scope.resolve(tokens.features)(),
  ].filter((feature) => typeof feature === 'object');
}

function hooksOf(
  scope: DependencyContainer,
  { policy, hooks }: Pick<Callbacks, 'policy' | 'hooks'>,
): SessionFeature | undefined {
  const make = scope.resolve(tokens.dispatcher);
  if (policy !== undefined) return hooksFeature(policy.dispatcher(make(policy.hooks(hooks))));
  return hooks && hooksFeature(make(hooks));
}

function elicitationFeature(elicitor: Elicitor): SessionFeature {
  return {
    name: 'elicitation',
    handlers: { elicitation: (request, context) => elicitor.elicit(request, context) },
  };
}

function dialogsFeature(dialogs: DialogHost & { readonly kinds: readonly string[] | undefined }): SessionFeature {
  return {
    name: 'dialogs',
    launch: { supportedDialogKinds: dialogs.kinds },
    handlers: { request_user_dialog: (request, context) => dialogs.show(request, context) },
  };
}
