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
  type ToolUsePart,
  type TurnLike,
} from '@hexagent/testing/loopback';
import { scriptExamples } from './examples.ts';

/** A call with an id that no earlier run of the server has used: the CLI drops one whose id its history has. */
const call = (name: string, input: Readonly<Record<string, unknown>>): ToolUsePart =>
  toolUse(name, input, `toolu_${crypto.randomUUID().replaceAll('-', '')}`);

/** A text in pieces of about a word, at the speed of a model. */
const stream = (words: string): TextPart => slow(words, { chunks: Math.ceil(words.length / 6), everyMs: 35 });

/** Turns by what the person writes; each is a list of answers, of which a tool's result asks for the next. */
const turns: readonly (readonly [asked: RegExp, answers: readonly ((request: ModelRequest) => TurnLike)[]])[] = [
  [
    /note/i,
    [
      () => [
        thinking('A note is a file. A shell command writes it, and the person decides whether it may run.'),
        stream('I need to run a command for that.'),
        call('Bash', { command: 'echo "Hello, Ada" > note.txt', description: 'Writes the note' }),
      ],
      (request) =>
        stream(
          toolResults(request).some(({ isError }) => isError)
            ? 'OK, I did not write the note.'
            : 'I wrote the note to `note.txt`.',
        ),
    ],
  ],
  [
    /letter/i,
    [
      () => [
        stream('Sure. I have two questions first.'),
        call('AskUserQuestion', {
          questions: [
            {
              question: 'Which tone should it have?',
              header: 'Tone',
              multiSelect: false,
              options: [
                { label: 'Warm', description: 'Like to an old friend' },
                { label: 'Brief', description: 'A few lines at most' },
              ],
            },
            {
              question: 'What should it be about?',
              header: 'Topics',
              multiSelect: true,
              options: [
                { label: 'Tea', description: 'And where to drink it' },
                { label: 'Trains', description: 'At night, across a border' },
                { label: 'Chess', description: 'A surprising opening' },
              ],
            },
          ],
        }),
      ],
      (request) =>
        stream(
          `Thank you. Here is what you told me:\n\n${toolResults(request)
            .map((result) => result.text)
            .join('\n')}`,
        ),
    ],
  ],
  [
    /plan/i,
    [
      () => call('EnterPlanMode', {}),
      (request) => [
        stream('Let me write a plan first.'),
        call('Write', { file_path: planFile(request), content: plan }),
      ],
      () => call('ExitPlanMode', {}),
      () => stream('Thanks, the plan is approved. (I am a script, so I stop here.)'),
    ],
  ],
  [
    /subagent/i,
    [
      () => [
        stream('I start a subagent for this.'),
        call('Agent', {
          description: 'List the files',
          prompt: 'List the files of this folder.',
          subagent_type: 'general-purpose',
          run_in_background: false,
        }),
      ],
      () => stream('The subagent has finished: it listed the files in this folder.'),
    ],
  ],
  [
    // The prompt of the subagent above.
    /^List the files/,
    [
      () => [text('I will list them.'), call('Bash', { command: 'ls -la', description: 'Lists the files' })],
      () => 'I listed all the files.',
    ],
  ],
  [/\bfail\b/i, [() => apiError(400, { message: 'You asked me to fail.' })]],
  [/count/i, [() => text({ [Symbol.iterator]: counting })]],
];

const plan = `# A quiet afternoon

1. Read the tests that are slow
2. Fix what makes them wait
3. Delete nothing`;

const menu = `I am a script on your machine. Everything else is real: the Claude Code CLI, its tools, and how my words reach you. \
Try one of these:

${scriptExamples.map(({ prompt, hint }) => `- **${prompt}**: ${hint.toLowerCase()}`).join('\n')}`;

/** The model that `npm run chat` talks to, unless it is called with `--live`. */
export function answer(request: ModelRequest): TurnLike {
  const asked = queuedText(request) ?? lastUserText(request);
  const answers = turns.find(([pattern]) => pattern.test(asked))?.[1];
  const next = answers?.[stepOf(request, asked)];
  return next?.(request) ?? [thinking('I have no script for this, so I list what I can do.'), stream(menu)];
}

/** How often tools have answered since the person wrote. A call that a restart cut off is made again. */
function stepOf({ body }: ModelRequest, asked: string): number {
  const { messages } = body;
  const from = messages.findLastIndex(
    ({ role, content }) => role !== 'assistant' && JSON.stringify(content).includes(JSON.stringify(asked).slice(1, -1)),
  );
  const since = messages.slice(from + 1);
  const cutOff = since.filter(({ role, content }) => role === 'user' && isCutOff(JSON.stringify(content)));
  return since.filter(({ role }) => role === 'assistant').length - cutOff.length;
}

/** The CLI says so in the place of the result. */
const isCutOff = (content: string): boolean => content.includes('[Tool call interrupted');

/** What the person wrote while the turn ran, in the words with which the CLI passes it on. */
function queuedText(request: ModelRequest): string | undefined {
  const { messages } = request.body;
  const written = JSON.stringify(lastUserText(request)).slice(1, -1);
  const from = messages.findLastIndex(
    ({ role, content }) => role === 'user' && JSON.stringify(content).includes(written),
  );
  return messages
    .slice(from + 1)
    .map(({ content }) => /while you were working:\\n(.*?)\\n/.exec(JSON.stringify(content))?.[1])
    .findLast((text) => text !== undefined);
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
