import {
  lastUserText,
  pause,
  slow,
  text,
  toolResults,
  toolUse,
  type Happening,
  type Script,
  type TextPart,
} from '@hexagent/testing/loopback';

/** A text in pieces of about a word, at the speed of a model. */
const say = (words: string): TextPart => slow(words, { chunks: Math.ceil(words.length / 6), everyMs: 40 });

/** What the model says when it is not a model but a script, scene by scene. */
export const scripts = {
  talk: (request) =>
    say(
      `You wrote: "${lastUserText(request)}" I cannot think about that, since today I am a script on your machine. ` +
        'The rest is real: the Claude Code CLI, its process, and each of these words on its way to you.',
    ),
  ownTool: [
    [say('I will ask the kitchen.'), toolUse('mcp__kitchen__pour_coffee', { guest: 'Ada' })],
    say('There it is: a cup of coffee for Ada.'),
  ],
  hook: [
    [say('That is quickly done.'), toolUse('Bash', { command: 'rm -f letter.txt' })],
    say('I was told that nothing is deleted here, so I leave the letter where it is.'),
  ],
  permission: (request) => {
    const [result] = toolResults(request);
    if (result === undefined)
      return [say('I need a shell for that.'), toolUse('Bash', { command: 'echo "Hello, Ada" > note.txt' })];
    return say(result.isError ? 'You said no, so there is no note.' : 'The note is there.');
  },
  interrupt: (request) =>
    lastUserText(request).startsWith('Count')
      ? text({ [Symbol.iterator]: counting })
      : say('Yes, and I have stopped counting.'),
  kill: (request) =>
    toolResults(request).length === 0
      ? toolUse('Bash', { command: 'tail -f /dev/null' })
      : say('The command has ended.'),
} satisfies Record<string, Script>;

function* counting(): Generator<string | Happening> {
  for (let number = 1; number <= 1000; number += 1) {
    yield `${number}, `;
    yield pause(40);
  }
}
