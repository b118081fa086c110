import { toolUse } from '@hexagent/testing/loopback';
import { asking, conversing, type Options, type Scenario } from './scenario.ts';
import { calling, callingInTurn } from './tools.ts';

type CanUseTool = NonNullable<Options['canUseTool']>;
type Hooks = NonNullable<Options['hooks']>;

/** A permission callback, of which is noted what it is asked. */
const approving =
  (answer: CanUseTool, more: Options = {}): Scenario['program'] =>
  (sdk, place) => {
    const asked: unknown[] = [];
    place.note('asked', asked);
    return asking('go', {
      ...more,
      canUseTool: (name, input, context) => {
        const { signal, ...kept } = context;
        asked.push([name, { ...input }, { ...kept, aborted: signal.aborted }]);
        return answer(name, input, context);
      },
    })(sdk, place);
  };

/** Hooks, of which is noted what they are given. */
const hooking =
  (hooks: Hooks, more: Options = {}): Scenario['program'] =>
  (sdk, place) => {
    const called: unknown[] = [];
    place.note('called', called);
    const watched = Object.entries(hooks).map(([event, matchers]) => [
      event,
      matchers.map((matcher) => ({
        ...matcher,
        hooks: matcher.hooks.map((hook): typeof hook => (input, id, context) => {
          called.push([input, id]);
          return hook(input, id, context);
        }),
      })),
    ]);
    // The same events with the same matchers.
    return asking('go', { allowedTools: ['Bash'], ...more, hooks: Object.fromEntries(watched) as Hooks })(sdk, place);
  };

const touch = calling(toolUse('Bash', { command: 'touch made' }));

const questions = [
  {
    question: 'Which colour?',
    header: 'Colour',
    multiSelect: false,
    options: [
      { label: 'Red', description: 'As blood.' },
      { label: 'Blue', description: 'As the sky.' },
    ],
  },
];

/** What the program is asked. */
export const callbacks: Readonly<Record<string, Scenario>> = {
  'a tool that the program allows': {
    program: approving(async (_, input) => ({ behavior: 'allow', updatedInput: input })),
    model: touch,
    shows: ['"asked":[["Bash"'],
    files: ['made'],
  },
  'a tool that the program allows with another input': {
    program: approving(async () => ({ behavior: 'allow', updatedInput: { command: 'touch other' } })),
    model: touch,
    shows: ['"asked":[["Bash"'],
    files: ['other'],
  },
  'a tool that the program denies': {
    program: approving(async () => ({ behavior: 'deny', message: 'Better not.' })),
    model: touch,
    shows: ['Better not.', 'permission_denials'],
    files: [],
  },
  'a tool that the program denies, to stop the agent': {
    program: approving(async () => ({ behavior: 'deny', message: 'Stop it.', interrupt: true })),
    model: touch,
    shows: ['aborted_tools'],
    files: [],
  },
  'a tool that the program allows from now on': {
    program: approving(async (_, input, { suggestions }) => ({
      behavior: 'allow',
      updatedInput: input,
      updatedPermissions: suggestions ?? [],
    })),
    model: callingInTurn(toolUse('Bash', { command: 'touch made' }), toolUse('Bash', { command: 'touch made' })),
    shows: ['suggestions'],
    files: ['.claude', 'made'],
  },
  'a question that the program answers': {
    program: approving(async (_, input) => ({
      behavior: 'allow',
      updatedInput: { ...input, answers: { 'Which colour?': 'Blue' } },
    })),
    model: calling(toolUse('AskUserQuestion', { questions })),
    shows: ['"asked":[["AskUserQuestion"', 'Blue'],
  },
  'a plan that the program approves': {
    program: approving(async (_, input) => ({ behavior: 'allow', updatedInput: input }), { permissionMode: 'plan' }),
    model: calling(toolUse('ExitPlanMode', { plan: 'First this, then that.' })),
    shows: ['"asked":[["ExitPlanMode"'],
  },
  'a mode in which nothing is asked': {
    program: approving(async (_, input) => ({ behavior: 'allow', updatedInput: input }), { permissionMode: 'dontAsk' }),
    model: touch,
    shows: ['permission_denials', '"asked":[]'],
    files: [],
  },
  'a mode that is changed in between': {
    program: conversing(['one', 'two'], {}, (query, _, index) =>
      index === 0 ? query.setPermissionMode('acceptEdits') : undefined,
    ),
    model: callingInTurn(
      toolUse('Write', { file_path: 'first.txt', content: 'one' }),
      toolUse('Write', { file_path: 'second.txt', content: 'two' }),
    ),
    shows: ['permission_denials'],
  },
  'a hook that only looks': {
    program: hooking({ PreToolUse: [{ hooks: [async () => ({})] }], PostToolUse: [{ hooks: [async () => ({})] }] }),
    model: touch,
    shows: ['PreToolUse', 'PostToolUse'],
    files: ['made'],
  },
  'a hook that denies a tool': {
    program: hooking({
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [
            async () => ({
              hookSpecificOutput: {
                hookEventName: 'PreToolUse',
                permissionDecision: 'deny',
                permissionDecisionReason: 'Not that.',
              },
            }),
          ],
        },
      ],
    }),
    model: touch,
    shows: ['Not that.'],
    files: [],
  },
  'a hook that changes the input of a tool': {
    program: hooking({
      PreToolUse: [
        {
          hooks: [
            async () => ({
              hookSpecificOutput: {
                hookEventName: 'PreToolUse',
                permissionDecision: 'allow',
                updatedInput: { command: 'touch other' },
              },
            }),
          ],
        },
      ],
    }),
    model: touch,
    shows: ['PreToolUse'],
    files: ['other'],
  },
  'a hook that adds to a prompt': {
    program: hooking({
      UserPromptSubmit: [
        {
          hooks: [
            async () => ({
              hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'The sky is green.' },
            }),
          ],
        },
      ],
    }),
    model: () => (request) =>
      JSON.stringify(request.body.messages).includes('The sky is green.') ? 'green' : 'no colour',
    shows: ['green'],
  },
  'a hook that refuses a prompt': {
    program: hooking({ UserPromptSubmit: [{ hooks: [async () => ({ decision: 'block', reason: 'Too rude.' })] }] }),
    model: () => () => 'hello back',
    shows: ['Too rude.'],
  },
  'a hook that has the agent continue once': {
    program: hooking({
      Stop: [
        {
          hooks: [
            async (input) =>
              'stop_hook_active' in input && input.stop_hook_active
                ? {}
                : { decision: 'block', reason: 'Say it again.' },
          ],
        },
      ],
    }),
    model: () => ['once', 'twice'],
    shows: ['once', 'twice', 'stop_hook_active'],
  },
  'a hook that fails': {
    program: hooking({
      PreToolUse: [
        {
          hooks: [
            async () => {
              throw new Error('It fails.');
            },
          ],
        },
      ],
    }),
    model: touch,
    shows: ['PreToolUse'],
    files: ['made'],
  },
};
