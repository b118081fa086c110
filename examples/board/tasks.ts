/* What the programs of the board do: the answers of the model, and what must be printed, with either package. */
import { gate, reply, text, toolUse, type Script } from '@hexagent/testing/loopback';

export interface Task {
  readonly title: string;
  readonly script: Script;
  readonly prints: RegExp;
  /** Folders that are made in the working folder, and passed as arguments. */
  readonly folders?: readonly string[];
  /** What a person types. */
  readonly typed?: readonly (readonly [shows: string, types: string])[];
  /** The program that runs before it. */
  readonly after?: string;
  /** It serves a chat, on the port that is its argument. */
  readonly isServer?: boolean;
}

const fetch = (url: string): ReturnType<typeof toolUse> => toolUse('WebFetch', { url, prompt: 'What is new?' });
const bash = (command: string): ReturnType<typeof toolUse> => toolUse('Bash', { command });

/** By the name of their files. */
export const tasks: Readonly<Record<string, Task>> = {
  'one-answer': { title: 'One answer', script: ['42'], prints: /^42$/m },
  'streamed-text': {
    title: 'Text while it arrives',
    script: [text(['Once upon ', 'a time.'])],
    prints: /Once upon a time\./,
  },
  'two-turns': { title: 'Two turns', script: ['Three are.', 'The last.'], prints: /^Three are\.\nThe last\.$/m },
  'own-tool': {
    title: 'A tool of your own',
    script: ({ index, body }) =>
      index > 0 ? 'It rolled.' : toolUse(/mcp__\w+__roll/.exec(JSON.stringify(body))?.[0] ?? 'none', { sides: 20 }),
    prints: /^It rolled\.$/m,
  },
  'typed-json': {
    title: 'Typed JSON',
    script: [toolUse('StructuredOutput', { name: 'Paris', people: 2_100_000 }), 'Done.'],
    prints: /^Paris: 2100000 people$/m,
  },
  'approve-on-the-terminal': {
    title: 'Approve on the terminal',
    // The agent may ask about both pages at the same time.
    script: [[fetch('https://one.example/'), fetch('https://two.example/')], 'They stay unread.'],
    prints: /They stay unread\.$/m,
    typed: [
      ['one.example', 'n'],
      ['two.example', 'n'],
    ],
  },
  'block-by-rule': {
    title: 'Block a command by a rule',
    script: [bash('touch made'), bash('rm made'), 'It is kept.'],
    prints: /^It is kept\.$/m,
  },
  resume: { title: 'Resume the last session', script: ['42', 'At 42.'], prints: /^At 42\.$/m, after: 'one-answer' },
  interrupt: {
    title: 'Interrupt after two seconds',
    script: [text(['1, 2, 3, ', gate()])],
    prints: /interrupted|aborted/,
  },
  budget: {
    title: 'A budget',
    script: [
      reply([{ type: 'tool_use', name: 'Read', input: { file_path: 'large' } }], {
        usage: { output_tokens: 2_000_000 },
      }),
    ],
    prints: /budget|Stopped at/,
  },
  'many-sessions': {
    title: 'Many sessions, kept apart',
    script: ({ body }) => `I am in ${/\/(one|two)\b/.exec(JSON.stringify(body))?.[1]}.`,
    prints: /I am in one\.', 'I am in two\./,
    folders: ['one', 'two'],
  },
  'web-chat': {
    title: 'A web chat',
    script: ['Hello from the agent.'],
    prints: /text-delta.*Hello from the agent\./,
    isServer: true,
  },
};
