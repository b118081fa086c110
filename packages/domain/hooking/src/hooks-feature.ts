import { errorText } from '@hexagent/checks';
import {
  cameWith,
  SdkError,
  type FeatureControl,
  type HookContext,
  type HookDispatcher,
  type HookOutput,
  type HookRegistration,
  type HookRequest,
  type InitializeResult,
  type SessionFeature,
} from '@hexagent/ports';
import { memberOf } from './changed-inputs.ts';
import { misspeltMatchers, withoutEffect } from './without-effect.ts';

/** Runs the hooks of a dispatcher in a conversation; `undefined` when it has none. */
export function hooksFeature(dispatcher: HookDispatcher): SessionFeature | undefined {
  const hooks = dispatcher.registration();
  if (hooks === undefined) return undefined;
  const reports = new Reports();
  return {
    name: 'hooks',
    // Without them the agent would do what they are to prevent.
    initialize: { hooks },
    checkInitialize: mustBlock(hooks) ? checkBlockingHooks : undefined,
    handlers: {
      hook_callback: async (request, context) => {
        const output = await dispatcher.dispatch(request, reports.contextOf(request, context));
        reports.check(request, output);
        return output;
      },
    },
    attach: (control) => reports.attach(control, hooks),
    toolsListed: (tools) => reports.warnOfMatchers(hooks, tools),
  };
}

/** Warns the author of the program of what the hooks of one conversation do not report. */
class Reports {
  #control: FeatureControl | undefined;
  #isWarnedOfContinuing = false;

  attach(control: FeatureControl, registration: HookRegistration): void {
    this.#control = control;
    for (const { event, message } of withoutEffect(registration)) this.#warnOfNoEffect(`hook for ${event}`, message);
  }

  warnOfMatchers(registration: HookRegistration, tools: readonly string[]): void {
    for (const { event, message } of misspeltMatchers(registration, tools))
      this.#warnOfNoEffect(`matcher of a hook for ${event}`, message);
  }

  /** The context of a hook. Only the signal can be enumerated, as in the official SDK. */
  contextOf({ input }: HookRequest, context: HookContext): HookContext {
    const report = (error: unknown): void => this.#report(`hook for ${input.hook_event_name}`, error);
    const given = {
      // Node makes a signal when it is read: with one for each call, hooks miss their bound of time.
      get signal() {
        return context.signal;
      },
    };
    return Object.defineProperty(given, 'report', { value: report });
  }

  #report(source: string, error: unknown): void {
    this.#control?.observe({ kind: 'callback_failed', subtype: 'hook_callback', error });
    const message = `The ${source} failed, and reported it: ${errorText(error)}`;
    this.#control?.warn({ code: 'HEXAGENT_CALLBACK_FAILED', source, message, cause: error });
  }

  /** Warns once of an answer that ends the turn and lets the tool run, which is always a mistake. */
  check({ input }: HookRequest, output: HookOutput): void {
    if (this.#isWarnedOfContinuing || input.hook_event_name !== 'PreToolUse') return;
    if (memberOf(output, 'continue') !== false) return;
    const specific = memberOf(output, 'hookSpecificOutput');
    if (memberOf(specific, 'permissionDecision') === 'deny' || memberOf(output, 'decision') === 'block') return;
    this.#isWarnedOfContinuing = true;
    const message =
      'A hook for PreToolUse answered `continue: false`: the turn ends, and yet the tool runs. To stop the tool, deny the call.';
    this.#warnOfNoEffect('answer of a hook for PreToolUse', message);
  }

  #warnOfNoEffect(source: string, message: string): void {
    this.#control?.warn({ code: 'HEXAGENT_HOOK_WITHOUT_EFFECT', source, message });
  }
}

/** Whether a hook was registered whose failure must stop what it watches over. */
function mustBlock(registration: HookRegistration): boolean {
  const matchers = Object.values(registration).flat();
  return matchers.some(({ onFailure }) => onFailure === 'block');
}

/**
 * An older agent ignores `onFailure` and continues where a hook fails; one that ran before ignores the hooks.
 * @throws {SdkError} `INITIALIZE_FAILED` unless the agent reports that it supports both.
 */
function checkBlockingHooks(answer: InitializeResult): void {
  if (answer.hook_on_failure_supported !== true)
    throw notHeld(
      `The agent does not support \`onFailure\`, so a hook that fails would block nothing. ${cameWith('onFailure of hooks')}`,
    );
  if (answer.hooks_applied === false)
    throw notHeld('The agent was set up before and did not take the hooks, of which some must block when they fail.');
}

function notHeld(message: string): SdkError {
  return new SdkError('INITIALIZE_FAILED', message);
}
