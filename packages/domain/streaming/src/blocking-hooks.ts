import { SdkError, type HookRegistration, type InitializeResult } from '@hexagent/ports';

/** Whether a hook is registered with `onFailure: 'block'`. */
export function mustBlock(registration: HookRegistration | undefined): boolean {
  const matchers = Object.values(registration ?? {}).flat();
  return matchers.some(({ onFailure }) => onFailure === 'block');
}

/**
 * An older agent ignores `onFailure` and goes on when a hook fails; an agent that was initialized before ignores the hooks.
 * @throws {SdkError} `INITIALIZE_FAILED` unless the agent says that it blocks.
 */
export function checkBlockingHooks(answer: InitializeResult): void {
  if (answer['hook_on_failure_supported'] !== true)
    throw notBlocking('The agent does not know `onFailure`, so a hook that fails would block nothing. Update the CLI.');
  if (answer['hooks_applied'] === false)
    throw notBlocking(
      'The agent was set up before and did not take the hooks, of which some must block when they fail.',
    );
}

function notBlocking(message: string): SdkError {
  return new SdkError('INITIALIZE_FAILED', message);
}
