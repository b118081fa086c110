import {
  apiError,
  gate,
  lastUserText,
  text,
  toolResults,
  toolUse,
  type Answerer,
  type ModelRequest,
  type TurnLike,
} from '@hexagent/testing/loopback';

/** What the model of a program does, what a person types, and what the program prints among other things. */
export interface Played {
  model(): Answerer | readonly TurnLike[];
  readonly typed?: readonly string[];
  readonly prints: readonly string[];
}

const isFirst = (request: ModelRequest): boolean => toolResults(request).length === 0;
const results = (request: ModelRequest): string =>
  toolResults(request)
    .map((result) => result.text)
    .join('; ');
const bash = (command: string) => toolUse('Bash', { command });
const counted = (request: ModelRequest): number => request.body.messages.filter(({ role }) => role === 'user').length;

export const models = {
  chat: {
    model: () => (request) => `You said ${lastUserText(request)}.`,
    typed: ['hello', 'and now?', 'exit'],
    prints: ['< You said hello.', '< You said and now?.', '2 turns'],
  },
  report: {
    model: () => [toolUse('Read', { file_path: 'notes.txt' }), bash('wc -w notes.txt'), bash('rm notes.txt'), 'Three.'],
    prints: ['in this folder', 'Bash said "3 notes.txt"', 'Three.', 'denied: Bash'],
  },
  permissions: {
    model: () => [bash('touch a'), bash('touch b'), bash('touch c'), bash('rm a'), 'Tidy.'],
    typed: ['y', 'n', 'a', 'n'],
    prints: ['? Bash {"command":"touch a"}', 'Tidy.', 'touch b'],
  },
  audit: {
    model: () => [bash('echo looking'), bash('rm notes.txt'), 'Clean.'],
    prints: ['before Bash: rm notes.txt', 'after Bash toolu_loopback_1: "looking"', 'Stop'],
  },
  team: {
    model: () => (request) => {
      const system = JSON.stringify(request.body.system);
      if (system.includes('You are the reader.')) return isFirst(request) ? bash('ls') : `There is ${results(request)}`;
      if (system.includes('You are the writer.')) return 'A poem.';
      const call = (subagent_type: string): TurnLike =>
        toolUse('Agent', { subagent_type, description: 'd', prompt: 'Go.', run_in_background: false });
      if (isFirst(request)) return call('reader');
      return results(request).includes('poem') ? 'Both are done.' : call('writer');
    },
    prints: ['lead calls reader', 'reader calls Bash', 'lead calls writer', 'lead: Both are done.'],
  },
  branches: {
    model: () => (request) => `${counted(request)}: ${lastUserText(request)}`,
    prints: ['1: My name is Ada.', '2: Who am I?', '3: Who am I not?', 'resumed: true forked: true continued: true'],
  },
  deadline: {
    model: () => [[text(['one ', 'two ', 'three ', gate()])]],
    prints: ['given up after "one two three "', 'true'],
  },
  provider: {
    model: () => (request) =>
      isFirst(request) ? [text(['Let me ', 'see.']), bash('ls')] : `I see ${results(request)}`,
    prints: ['{"type":"text-delta","id":"0","delta":"Let me "}', '"toolName":"Bash"', 'cancelled at text-delta'],
  },
  calculator: {
    model: () => [
      toolUse('mcp__calculator__add', { a: 1, b: 2 }),
      toolUse('mcp__calculator__divide', { a: 1, b: 0 }),
      toolUse('mcp__calculator__greet', { who: 'Ada', loud: true }),
      toolUse('mcp__calculator__greet', { who: 'Eve' }),
      'Done.',
    ],
    prints: ['calculator connected', 'HELLO ADA', 'true'],
  },
  server: {
    model: () => (request) => (lastUserText(request) === 'hello' ? text(['Hel', 'lo.']) : [text(['for ', gate()])]),
    prints: ['event: done', '"text":"for "', 'hello: finished\nforever: left'],
  },
  'remote-control': {
    model: () => (request) => {
      if (!isFirst(request)) return `wrote it as ${request.body.model}`;
      const lastPrompt = lastUserText(request);
      if (lastPrompt === 'write it') return toolUse('Write', { file_path: 'made.txt', content: 'made' });
      return lastPrompt === 'forever' ? [text(['on and on', gate()])] : `${lastPrompt} by ${request.body.model}`;
    },
    prints: ['two by claude-haiku-4-5', 'success wrote it', 'error_during_execution', 'over: '],
  },
  extract: {
    model: () => (request) => {
      if (!isFirst(request)) return 'Done.';
      const isOrder = JSON.stringify(request.body.messages).includes('2 chairs');
      return isOrder
        ? toolUse('StructuredOutput', { customer: 'Ada', total: 80, lines: [{ article: 'chair', pieces: 2 }] })
        : 'It says nothing.';
    },
    prints: ['{"customer":"Ada","total":80,"lines":[{"article":"chair","pieces":2}]}'],
  },
  sessions: {
    model: () => (request) => {
      const lastPrompt = lastUserText(request);
      if (lastPrompt === 'And now?')
        return `now, after ${request.body.messages.filter(({ role }) => role === 'user').length}`;
      if (lastPrompt !== 'What is in the notes?') return 'Well.';
      return isFirst(request) ? toolUse('Read', { file_path: 'notes.txt' }) : 'Words.';
    },
    prints: ['- What is in the notes? (What is in the notes?)', 'The notes kept, A branch undefined', 'now, after 3'],
  },
  warm: {
    model: () => ['It is me.'],
    prints: ['ready', 'It is me.', 'used up', 'function never used'],
  },
  waiting: {
    model: () => [],
    prints: [
      'continued: listSessions(), 200',
      'resumed: load(), 200',
      'started: initialization, 200',
      'closed after 0',
    ],
  },
  failures: {
    model: () => {
      let overloaded = 0;
      return (request) => {
        switch (lastUserText(request)) {
          case 'Loop.':
            return bash('true');
          case 'Pay.':
            return apiError(402, { message: 'No credit.' });
          default:
            overloaded += 1;
            return overloaded === 1 ? apiError(529, { retryAfter: 0 }) : 'Done.';
        }
      };
    },
    prints: ['too many turns: error_max_turns', 'overloaded once: retry, success false', 'a bad flag: threw the exit'],
  },
  plan: {
    model: () => [
      toolUse('ExitPlanMode', { plan: 'Make it.' }),
      toolUse('Write', { file_path: 'made.txt', content: 'made' }),
      'Made.',
    ],
    prints: ['asked about ExitPlanMode', 'Made.', 'modes: '],
  },
} as const satisfies Readonly<Record<string, Played>>;
