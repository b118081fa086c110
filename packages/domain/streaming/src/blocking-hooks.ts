import { SdkError, type HookRegistration, type InitializeResult } from '@hexagent/ports';

/** Whether a hook was registered whose failure must stop what it watches over. */
export function mustBlock(registration: HookRegistration | undefined): boolean {
  const matchers = Object.values(registration ?? {}).flat();
  return matchers.some(({ onFailure }) => onFailure === 'block');
}

/**
 * An older agent ignores `onFailure` and goes on where a hook fails; one that ran before ignores the hooks.
 * @throws {SdkError} `INITIALIZE_FAILED` unless the agent says that it blocks.
 */
export function checkBlockingHooks(answer: InitializeResult): void {
  if (answer['hook_on_failure_supported'] !== true)
    throw notHeld('The agent does not know `onFailure`, so a hook that fails would block nothing. Update the CLI.');
  if (answer['hooks_applied'] === false)
    throw notHeld('The agent was set up before and did not take the hooks, of which some must block when they fail.');
}

function notHeld(message: string): SdkError {
  return new SdkError('INITIALIZE_FAILED', message);
}
