import {
  SdkError,
  type HookDispatcher,
  type HookRegistration,
  type InitializeResult,
  type SessionFeature,
} from '@hexagent/ports';

/** Runs the hooks of a dispatcher in a conversation; `undefined` when it has none. */
export function hooksFeature(dispatcher: HookDispatcher): SessionFeature | undefined {
  const hooks = dispatcher.registration();
  if (hooks === undefined) return undefined;
  return {
    name: 'hooks',
    // Without them the agent would do what they are to prevent.
    initialize: { hooks },
    checkInitialize: mustBlock(hooks) ? checkBlockingHooks : undefined,
    handlers: { hook_callback: (request, context) => dispatcher.dispatch(request, context) },
  };
}

/** Whether a hook was registered whose failure must stop what it watches over. */
function mustBlock(registration: HookRegistration): boolean {
  const matchers = Object.values(registration).flat();
  return matchers.some(({ onFailure }) => onFailure === 'block');
}

/**
 * An older agent ignores `onFailure` and goes on where a hook fails; one that ran before ignores the hooks.
 * @throws {SdkError} `INITIALIZE_FAILED` unless the agent says that it blocks.
 */
function checkBlockingHooks(answer: InitializeResult): void {
  if (answer.hook_on_failure_supported !== true)
    throw notHeld('The agent does not know `onFailure`, so a hook that fails would block nothing. Update the CLI.');
  if (answer.hooks_applied === false)
    throw notHeld('The agent was set up before and did not take the hooks, of which some must block when they fail.');
}

function notHeld(message: string): SdkError {
  return new SdkError('INITIALIZE_FAILED', message);
}
