import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgentExitedError, allow, ask, createSdk, deny, openSession } from '@hexagent/sdk';
import type { AskHandler, Session, SessionOptions } from '@hexagent/sdk';
import { InMemorySessionStore } from '@hexagent/sdk/claude-agent-sdk';
import { processes, processesMentioning } from '@hexagent/testing/cli';
import { gate, lastUserText, slow, text, toolUse, type Script, type TurnLike } from '@hexagent/testing/loopback';
import { onePending } from '../support/asking.ts';
import { byPrompt } from '../support/by-prompt.ts';
import { collect } from '../support/collect.ts';
import type { Stage } from '../support/stage.ts';
import { callOnce } from '../support/tool-calls.ts';
import { untilItStreams } from '../support/until-it-streams.ts';

export interface Place extends Omit<Stage, 'options'> {
  /** Lead the agent to the place. */
  readonly options: SessionOptions;
}

/** A stage whose agents run at the place of the test. */
export type PlaceFor = (script?: Script, extra?: Readonly<Record<string, string>>) => Promise<Place>;

const textIn = (outcome: { readonly kind: string; readonly text?: string | undefined }): string =>
  outcome.kind === 'completed' ? (outcome.text ?? '') : `(${outcome.kind})`;

const answerOf = async (session: Session, prompt: string): Promise<string> => textIn(await session.send(prompt).result);

const allowing: SessionOptions = { permissions: { allow: ['Bash', 'Read'] } };
const say = (line: string): Script => callOnce('Bash', { command: line });
/** Ignores every polite signal, in the foreground. */
const stubborn = "trap '' TERM INT HUP; tail -f /dev/null --pid=1; tail -f /dev/null --pid=1";

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20)); // the test has a deadline
}

const secret = 'made-up-secret-of-this-test';
const greeter = fileURLToPath(new URL('../fixtures/greeting-server.mjs', import.meta.url));

/** What holds wherever the agent runs. */
export const scenarios: Readonly<Record<string, (place: PlaceFor) => Promise<void>>> = {
  'an interrupt ends a command that runs': async (placeFor) => {
    await using place = await placeFor([
      toolUse('Bash', { command: 'touch begun; tail -f /dev/null --pid=1' }),
      'late',
    ]);
    await using session = await openSession({ ...place.options, ...allowing });
    const turn = session.send('go');
    await until(() => existsSync(join(place.home.cwd, 'begun')));
    await turn.interrupt();
    assert.equal((await turn.result).kind, 'interrupted');
  },

  'a call runs there when it is allowed, also by its id, and does not when the program or a rule denies it': async (
    placeFor,
  ) => {
    const bash = (command: string): TurnLike => toolUse('Bash', { command });
    await using place = await placeFor(
      byPrompt({
        allow: bash('touch allowed && echo done'),
        wait: bash('touch waited'),
        deny: bash('touch denied'),
        rule: bash('rm -f keep && touch ruled'),
      }),
    );
    let onAsk: AskHandler = () => allow();
    await using session = await openSession({
      ...place.options,
      permissions: { deny: ['Bash(rm *)'] },
      onAsk: (request) => onAsk(request),
    });
    await session.send('rule').result;
    const asked: string[] = [];
    onAsk = ({ request }) => (asked.push(JSON.stringify(request)), allow());
    assert.equal(await answerOf(session, 'allow'), 'done');
    assert.ok(asked.some((input) => input.includes('touch allowed')));
    onAsk = () => deny('not today');
    assert.match(await answerOf(session, 'deny'), /not today/);
    onAsk = () => null;
    const turn = session.send('wait');
    const { id } = await onePending(session);
    assert.equal(session.pending.answer(id, allow()), 'accepted');
    assert.equal((await turn.result).kind, 'completed');
    assert.deepEqual(readdirSync(place.home.cwd).toSorted(), ['allowed', 'waited']);
  },

  'settings, a key and a long prompt reach the agent, and no command line shows them': async (placeFor) => {
    const key = 'sk-made-up-key-of-this-test';
    await using place = await placeFor((request) => `Key: ${String(request.headers['x-api-key'])}`, {
      ANTHROPIC_API_KEY: key,
    });
    const long = `${secret} ${'long '.repeat(40_000)}`;
    const deny = Array.from({ length: 3000 }, (_, n) => `Bash(${secret}-${n} *)`);
    await using session = await openSession({ ...place.options, systemPrompt: long, permissions: { deny } });
    assert.equal(await answerOf(session, 'go'), `Key: ${key}`);
    assert.ok(JSON.stringify(place.loopback.requests[0]?.body).includes(long.slice(0, 1000)));
    assert.deepEqual(
      processes().filter(({ command }) => command.includes(key) || command.includes(`${secret} long`)),
      [],
    );
  },

  'odd variables, a folder with an odd name, one beside it, and a server whose secret no command line shows are there':
    async (placeFor) => {
      const odd = `it's "a" $HOME \`x\` \\n
two\tlines é 👋 ${String.fromCodePoint(0x81, 0x88)} !*?[;&|<>(){}~#`;
      const variables = { ODD: odd, EMPTY: '' };
      await using place = await placeFor(
        byPrompt({
          variables: toolUse('Bash', { command: 'printf %s "$ODD" >odd; printf %s "[$EMPTY]" >empty; pwd' }),
          beside: () => toolUse('Read', { file_path: join(place.home.tmp, 'note') }),
          server: toolUse('mcp__greeting__greet', { name: 'you' }),
        }),
        variables,
      );
      const cwd = join(place.home.cwd, `-it's "odd" $(x) é`);
      mkdirSync(cwd);
      writeFileSync(join(place.home.tmp, 'note'), 'a note');
      const server = { type: 'stdio', command: process.execPath, args: [greeter] } as const;
      await using session = await openSession({
        ...place.options,
        cwd,
        additionalDirectories: [place.home.tmp],
        tools: [{ greeting: { ...server, env: { GREETING_SECRET: secret } } }],
        permissions: { allow: ['Bash', 'mcp__greeting'] },
      });
      assert.equal(await answerOf(session, 'variables'), cwd);
      assert.equal(readFileSync(join(cwd, 'odd'), 'utf8'), odd);
      assert.equal(readFileSync(join(cwd, 'empty'), 'utf8'), '[]');
      assert.match(await answerOf(session, 'beside'), /a note/);
      assert.match(await answerOf(session, 'server'), new RegExp(`Hello you, from .* with ${secret}`));
      assert.deepEqual(
        processes().filter(({ command }) => command.includes(secret)),
        [],
      );
    },

  'a missing working directory is named': async (placeFor) => {
    await using place = await placeFor();
    const opening = openSession({ ...place.options, cwd: '/no/such/folder' });
    await assert.rejects(opening, { code: 'CWD_MISSING' });
  },

  'a session continues from a store, where there is no file of it': async (placeFor) => {
    const store = new InMemorySessionStore();
    await using place = await placeFor((request) => `You said ${lastUserText(request)}`);
    const session = await openSession({ ...place.options, store });
    await session.send('remember this: é').result;
    const id = session.sessionId;
    await session.finish();
    await using other = await placeFor();
    const options = {
      ...place.options,
      cwd: other.home.cwd,
      env: { policy: 'exact' as const, set: { ...place.env, HOME: other.home.home } },
    };
    const resumed = await openSession({ ...options, cwd: place.home.cwd, store, resume: id });
    assert.match(await answerOf(resumed, 'and now'), /and now/);
    await resumed.close();
    assert.match(JSON.stringify(place.loopback.requests.at(-1)?.body.messages), /remember this: é/);
    assert.equal(existsSync(join(other.home.home, '.claude/projects')), false);
  },

  'an abort ends the agent': async (placeFor) => {
    await using place = await placeFor([text(['word ', gate()])]);
    const aborting = new AbortController();
    const session = await openSession({ ...place.options, partialMessages: true, signal: aborting.signal });
    const turn = session.send('go');
    await untilItStreams(turn);
    aborting.abort();
    await assert.rejects(turn.result, { name: 'AbortError' });
    await session.close();
    assert.deepEqual(processesMentioning(place.home.root), []);
  },

  'closing ends a command that ignores every polite signal': async (placeFor) => {
    await using place = await placeFor([toolUse('Bash', { command: `touch begun; ${stubborn}` }), 'late']);
    const session = await openSession({ ...place.options, ...allowing });
    const turn = session.send('go');
    await until(() => existsSync(join(place.home.cwd, 'begun')));
    await session.close();
    await turn.result.catch(() => {});
    assert.deepEqual(processesMentioning(place.home.root), []);
  },

  'what a command left behind is ended with the agent': async (placeFor) => {
    await using place = await placeFor(say('nohup setsid sleep 600 >/dev/null 2>&1 & echo started'));
    assert.match(await ask('go', { ...place.options, ...allowing }).text(), /started/);
    assert.deepEqual(processesMentioning(place.home.root), []);
  },

  'what a command left behind is waited for with `wait`': async (placeFor) => {
    await using place = await placeFor(say('nohup setsid sh -c "sleep 2; touch ended" >/dev/null 2>&1 & echo started'));
    await using session = await openSession({ ...place.options, ...allowing, leftovers: 'wait' });
    await session.send('go').result;
    await session.finish();
    assert.ok(existsSync(join(place.home.cwd, 'ended')));
  },

  'a long message is sent whole, and a long line arrives whole': async (placeFor) => {
    const message = 'é👋x'.repeat(300_000);
    const line = 'é👋x'.repeat(700_000);
    await using place = await placeFor((request) => (lastUserText(request) === message ? line : 'other'));
    await using session = await openSession(place.options);
    assert.equal(await answerOf(session, message), line);
    assert.equal(await answerOf(session, 'more'), 'other');
  },

  'an agent whose messages are not read is held back, and nothing is lost': async (placeFor) => {
    await using place = await placeFor([slow('word '.repeat(3000), { chunks: 3000, everyMs: 0 })]);
    await using session = await openSession({ ...place.options, partialMessages: true, softMarkBytes: 10_000 });
    const turn = session.send('go');
    await new Promise((resolve) => setTimeout(resolve, 300)); // as a reader that is busy
    const messages = await collect(turn);
    assert.ok(messages.filter(({ type }) => type === 'stream_event').length > 2000);
    assert.equal(textIn(await turn.result), 'word '.repeat(3000));
  },

  'an agent that dies ends its turn with an error': async (placeFor) => {
    await using place = await placeFor([text(['word ', gate()])]);
    await using session = await openSession({ ...place.options, partialMessages: true });
    const turn = session.send('go');
    await untilItStreams(turn);
    const agent = processesMentioning(place.home.root).find(({ command }) => command.includes('stream-json'));
    process.kill(agent?.pid ?? 0, 'SIGKILL');
    await assert.rejects(turn.result, AgentExitedError);
  },

  'a flag that the CLI does not know is explained, and each line of the error stream is reported': async (placeFor) => {
    await using place = await placeFor(['never']);
    const lines: string[] = [];
    const options = {
      ...place.options,
      extraArgs: { 'no-such-flag': null },
      onStderr: (line: string) => void lines.push(line),
    };
    const asking = createSdk().ask('go', options).result;
    await assert.rejects(asking, { code: 'AGENT_EXITED', explanation: /does not support/ });
    assert.ok(lines.some((line) => line.includes('--no-such-flag')));
  },
};
