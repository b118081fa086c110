import {
  apiError,
  lastUserText,
  pause,
  slow,
  text,
  thinking,
  toolResults,
  toolUse,
  type ModelRequest,
  type StreamEffect,
  type TextPart,
  type TurnLike,
} from '@hexagent/testing/loopback';

/** A text in pieces of about a word, at the speed of a model. */
const stream = (words: string): TextPart => slow(words, { chunks: Math.ceil(words.length / 6), everyMs: 35 });

/** Turns by what the person writes; each is a list of answers, of which a tool's result asks for the next. */
const turns: readonly (readonly [asked: RegExp, answers: readonly ((request: ModelRequest) => TurnLike)[]])[] = [
  [
    /note/i,
    [
      () => [
        thinking('A note is a file. A shell writes it in one line; the person decides whether it may.'),
        stream('I need a shell for that.'),
        toolUse('Bash', { command: 'echo "Hello, Ada" > note.txt', description: 'Writes the note' }),
      ],
      (request) =>
        stream(
          toolResults(request).some(({ isError }) => isError)
            ? 'You said no, so there is no note.'
            : 'The note is in `note.txt`.',
        ),
    ],
  ],
  [
    /letter/i,
    [
      () => [
        stream('Gladly. Some questions first.'),
        toolUse('AskUserQuestion', {
          questions: [
            {
              question: 'Which tone shall it have?',
              header: 'Tone',
              multiSelect: false,
              options: [
                { label: 'Warm', description: 'As to an old friend' },
                { label: 'Brief', description: 'A few lines, no more' },
              ],
            },
            {
              question: 'What shall it be about?',
              header: 'Topics',
              multiSelect: true,
              options: [
                { label: 'Tea', description: 'And where to have it' },
                { label: 'Trains', description: 'By night, across a border' },
                { label: 'Chess', description: 'An opening that surprises' },
              ],
            },
          ],
        }),
      ],
      (request) =>
        stream(
          `Thank you. This is what I know now:\n\n${toolResults(request)
            .map((result) => result.text)
            .join('\n')}`,
        ),
    ],
  ],
  [
    /plan/i,
    [
      () => toolUse('EnterPlanMode', {}),
      (request) => [
        stream('I write down what I would do.'),
        toolUse('Write', { file_path: planFile(request), content: plan }),
      ],
      () => toolUse('ExitPlanMode', {}),
      () => stream('Then that is what I do. (This model is a script, so it stays with the plan.)'),
    ],
  ],
  [
    /helper/i,
    [
      () => [
        stream('I send a helper.'),
        toolUse('Agent', {
          description: 'Look round',
          prompt: 'List the files of this folder.',
          subagent_type: 'general-purpose',
          run_in_background: false,
        }),
      ],
      () => stream('The helper is back: it has seen every file of this folder.'),
    ],
  ],
  [
    // The prompt of the subagent above.
    /^List the files/,
    [
      () => [text('I look.'), toolUse('Bash', { command: 'ls -la', description: 'Lists the files' })],
      () => 'I have seen them all.',
    ],
  ],
  [/\bfail\b/i, [() => apiError(400, { message: 'I was asked to fail.' })]],
  [/count/i, [() => text({ [Symbol.iterator]: counting })]],
];

const plan = `# A quiet afternoon

1. Read the tests that are slow
2. Mend what makes them wait
3. Delete nothing`;

const menu = `Today I am a script on your machine. The rest is real: the Claude Code CLI, its tools, and each of these words on its \
way to you. Write, for example:

- **Leave a note for Ada**: I need a shell, and you decide
- **Write a letter**: I ask you what I need to know
- **Make a plan**: you approve it, edit it, or send it back
- **Send a helper**: a subagent at work
- **Count to one thousand**: until you stop me
- **Fail for once**: what an error looks like`;

/** The model that `npm run chat` talks to, unless it is called with `--live`. */
export function answer(request: ModelRequest): TurnLike {
  const asked = lastUserText(request);
  const answers = turns.find(([pattern]) => pattern.test(asked))?.[1];
  const next = answers?.[stepOf(request, asked)];
  return next?.(request) ?? [thinking('Nothing I have a script for. I say what there is.'), stream(menu)];
}

/** How often tools have answered since the person wrote. */
function stepOf({ body }: ModelRequest, asked: string): number {
  const { messages } = body;
  const from = messages.findLastIndex(
    ({ role, content }) => role === 'user' && JSON.stringify(content).includes(JSON.stringify(asked).slice(1, -1)),
  );
  return messages.slice(from + 1).filter(({ role }) => role === 'assistant').length;
}

/** The prompt of the CLI names the file for the plan. */
function planFile({ body }: ModelRequest): string {
  return /\/[\w./-]+\/plans\/[\w.-]+\.md/.exec(JSON.stringify(body))?.[0] ?? 'plan.md';
}

function* counting(): Generator<string | StreamEffect> {
  for (let number = 1; number <= 1000; number += 1) {
    yield `${number}, `;
    yield pause(40);
  }
}
