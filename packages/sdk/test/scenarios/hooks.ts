import { allow, type SessionOptions } from '@hexagent/sdk';
import { model, turn } from '@hexagent/testing/scenarios';
import { allowing, type Scenario, type Scenarios } from './scenario.ts';

type Hooks = NonNullable<SessionOptions['hooks']>;

const echo = model.call('Bash', { command: 'echo hi' }, { result: 'hi' });

/** A command, with hooks. */
const hooked = (hooks: Hooks, shows: readonly string[], more: Partial<Scenario> = {}): Scenario => ({
  turns: [turn('go', [echo], 'Done.')],
  options: { ...allowing, hooks },
  shows,
  ...more,
});

const before = (
  output: NonNullable<Awaited<ReturnType<NonNullable<Hooks['PreToolUse']>[number]['hooks'][number]>>>,
): Hooks => ({
  PreToolUse: [{ matcher: 'Bash', hooks: [() => output] }],
});

const deciding = (fields: object): Hooks => before({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });

export const hooks: Scenarios = {
  'a hook that only looks': hooked({ PreToolUse: [{ hooks: [() => {}] }], PostToolUse: [{ hooks: [() => {}] }] }, [
    'PostToolUse',
    '"content":"hi"',
  ]),
  'a hook of another tool': hooked({ PreToolUse: [{ matcher: 'Write|Edit', hooks: [() => {}] }] }, ['"content":"hi"']),
  'a hook that denies a call': hooked(deciding({ permissionDecision: 'deny', permissionDecisionReason: 'Not that.' }), [
    'Not that.',
    'Done.',
  ]),
  'a hook that changes the input of a call': hooked(
    deciding({ permissionDecision: 'allow', updatedInput: { command: 'echo other' } }),
    ['"content":"other"'],
    { turns: [turn('go', [model.call('Bash', { command: 'echo hi' }, { result: 'other' })], 'Done.')] },
  ),
  'a hook that has the host asked': hooked(
    deciding({ permissionDecision: 'ask', permissionDecisionReason: 'Look at it.' }),
    ['can_use_tool', '"decision_reason_type":"hook"'],
    { decides: [allow()] },
  ),
  'a hook that fails': hooked(
    {
      PreToolUse: [
        {
          hooks: [
            () => {
              throw new Error('It fails.');
            },
          ],
        },
      ],
    },
    ['It fails.', '"content":"hi"'],
  ),
  'a hook that fails, and must not': hooked(
    {
      PreToolUse: [
        {
          onFailure: 'block',
          hooks: [
            () => {
              throw new Error('It fails.');
            },
          ],
        },
      ],
    },
    ['It fails.', 'Done.'],
  ),
  'a hook that speaks to the user': hooked(before({ systemMessage: 'A note.' }), ['A note.']),
  'a hook that refuses a prompt': hooked(
    { UserPromptSubmit: [{ hooks: [() => ({ decision: 'block', reason: 'Too rude.' })] }] },
    ['Too rude.'],
    { turns: [turn('go')] },
  ),
  'a hook that has the agent continue once': hooked(
    {
      Stop: [
        {
          hooks: [(input) => (input.stop_hook_active ? {} : { decision: 'block', reason: 'Say it again.' })],
        },
      ],
    },
    ['Say it again.', 'twice'],
    { turns: [turn('go', 'once'), turn('', 'twice')], program: ({ session }) => session.send('go').result },
  ),
  'a hook after a call that failed': hooked({ PostToolUseFailure: [{ hooks: [() => {}] }] }, ['PostToolUseFailure'], {
    turns: [turn('go', [model.call('Bash', { command: 'false' }, { isError: true, result: 'Exit code 1' })], 'Done.')],
  }),
};
