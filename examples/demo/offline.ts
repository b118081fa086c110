import type { Environment } from '@hexagent/sdk';
import { hermeticEnv, hermeticHome } from '@hexagent/testing/cli';
import {
  lastUserText,
  slow,
  startLoopback,
  toolResults,
  toolUse,
  type ModelRequest,
  type TurnLike,
} from '@hexagent/testing/loopback';

/** Where a demo takes place. */
export interface Stage {
  readonly title: string;
  readonly cwd: string;
  readonly env: Environment;
  readonly prompts: readonly string[];
  end(): Promise<void>;
}

const say = (text: string): TurnLike => slow(text, { chunks: 24, everyMs: 25 });

/** What the scripted model answers, by what it was asked and by what the tools gave it. */
function answer(request: ModelRequest): TurnLike {
  const results = toolResults(request);
  if (lastUserText(request).includes('note')) {
    return results.length === 0
      ? [
          slow('I will write that down for you.', { chunks: 8, everyMs: 25 }),
          toolUse('Bash', { command: 'echo "hello from an agent" > note.txt && cat note.txt' }),
        ]
      : say(
          results.at(-1)?.isError
            ? 'I was not allowed to, so there is no note.'
            : 'Done. The note says "hello from an agent".',
        );
  }
  return results.length === 0 || (lastUserText(request).includes('weather') && !results.some(({ isError }) => isError))
    ? toolUse('WebFetch', { url: 'https://weather.example/', prompt: 'the weather' })
    : say('Fetching is denied here by rule, so I cannot tell you the weather.');
}

/** The real CLI, a clean home, and a model that reads from a script: no key, no network. */
export async function offline(): Promise<Stage> {
  const [home, loopback] = await Promise.all([hermeticHome(), startLoopback(answer)]);
  return {
    title:
      'Offline: the real CLI, with a scripted model on this machine. Use `npm run demo -- --live` for the real one.',
    cwd: home.cwd,
    env: { policy: 'exact', set: hermeticEnv({ loopback, home }) },
    prompts: ['Please leave a note that says hello.', 'And what is the weather like?'],
    async end() {
      await loopback.close();
      await home.remove();
    },
  };
}
