import {
  lastUserText,
  pause,
  slow,
  text,
  toolResults,
  toolUse,
  type StreamEffect,
  type Script,
  type TextPart,
} from '@hexagent/testing/loopback';

/** A text in pieces of about a word, at the speed of a model. */
const stream = (words: string): TextPart => slow(words, { chunks: Math.ceil(words.length / 6), everyMs: 40 });

/** The answers of the scripted model, scene by scene. */
export const scripts = {
  talk: (request) =>
    stream(
      `You wrote: "${lastUserText(request)}" I cannot think about that, since today I am a script on your machine. ` +
        'The rest is real: the Claude Code CLI, its process, and each of these words on its way to you.',
    ),
  ownTool: [
    [stream('I will ask the kitchen.'), toolUse('mcp__kitchen__pour_coffee', { guest: 'Ada' })],
    stream('There it is: a cup of coffee for Ada.'),
  ],
  hook: [
    [stream('That is quickly done.'), toolUse('Bash', { command: 'rm -f letter.txt' })],
    stream('I was told that nothing is deleted here, so I leave the letter where it is.'),
  ],
  permission: (request) => {
    const [result] = toolResults(request);
    if (result === undefined)
      return [stream('I need a shell for that.'), toolUse('Bash', { command: 'echo "Hello, Ada" > note.txt' })];
    return stream(result.isError ? 'You said no, so there is no note.' : 'The note is there.');
  },
  interrupt: (request) =>
    lastUserText(request).startsWith('Count')
      ? text({ [Symbol.iterator]: counting })
      : stream('Yes, and I have stopped counting.'),
  kill: (request) =>
    toolResults(request).length === 0
      ? toolUse('Bash', { command: 'tail -f /dev/null' })
      : stream('The command has ended.'),
} satisfies Record<string, Script>;

function* counting(): Generator<string | StreamEffect> {
  for (let number = 1; number <= 1000; number += 1) {
    yield `${number}, `;
    yield pause(40);
  }
}
