/*
 * Six scenes, each a small program of its own in the folder `scenes`, with the real CLI.
 * Offline against a scripted model unless called with `--live`, which uses your own login or key.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { inspect, parseArgs } from 'node:util';
import { SdkError, textDeltaOf, toolUsesOf, type Session } from '@hexagent/sdk';
import { retryNotice, TurnFailed, type Scene } from './scene.ts';
import { hook } from './scenes/hook.ts';
import { interrupt } from './scenes/interrupt.ts';
import { kill } from './scenes/kill.ts';
import { ownTool } from './scenes/own-tool.ts';
import { permission } from './scenes/permission.ts';
import { talk } from './scenes/talk.ts';
import { scripts } from './script.ts';
import { liveStage, offlineStage, openWorkspace, type Workspace } from './stage.ts';
import { Terminal } from './terminal.ts';

type SceneName = keyof typeof scripts;
const scenes: readonly (readonly [SceneName, Scene])[] = [
  ['talk', talk],
  ['ownTool', ownTool],
  ['hook', hook],
  ['permission', permission],
  ['interrupt', interrupt],
  ['kill', kill],
];

interface Flags {
  readonly live: boolean;
  readonly yes: boolean;
  readonly help: boolean;
}

const usage = readFileSync(new URL('usage.txt', import.meta.url), 'utf8');

/** Aborted when the person leaves; the reason is the exit code. */
const left = new AbortController();
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const;

function flagsOf(args: readonly string[]): Flags | undefined {
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({ args: [...args], options: { live: flag, yes: flag, help: { ...flag, short: 'h' } } }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return undefined;
  }
}

/** Plays all scenes; returns the facts that did not hold. */
async function playAll(flags: Flags, terminal: Terminal, workspace: Workspace): Promise<readonly string[]> {
  const wrong: string[] = [];
  const check = (fact: string, holds: boolean): void => {
    terminal.line(`${holds ? 'ok' : 'NOT SO'}: ${fact}`);
    if (!holds) wrong.push(fact);
  };
  const ask = (session: Session, prompt: string): Promise<string> => converse(session, prompt, terminal);
  // Not the folder: the watchdog of this process, which stays a moment longer than the agents, has that in its environment.
  const marker = `demo-${randomUUID()}`;
  for (const [index, [name, scene]] of scenes.entries()) {
    terminal.heading(`${index + 1} of ${scenes.length}  ${scene.title}`);
    const stage = flags.live ? await liveStage(workspace, marker) : await offlineStage(scripts[name], marker);
    try {
      const place = { cwd: stage.cwd, env: stage.env, signal: left.signal };
      await scene.play({ terminal, place, marker, ask, check });
    } finally {
      await stage.close();
    }
    left.signal.throwIfAborted();
    await terminal.pause(2000);
  }
  return wrong;
}

async function converse(session: Session, prompt: string, terminal: Terminal): Promise<string> {
  terminal.line(`You: ${prompt}`);
  terminal.begin('Agent: ');
  const turn = session.send(prompt);
  for await (const message of turn) {
    terminal.write(textDeltaOf(message));
    for (const { name, input } of toolUsesOf(message)) terminal.line(`[calls ${name} ${JSON.stringify(input)}]`);
    terminal.notice(retryNotice(message));
  }
  const outcome = await turn.result;
  if (outcome.kind === 'failed') throw new TurnFailed(outcome);
  return outcome.kind === 'cancelled' ? '' : outcome.text;
}

async function main(flags: Flags): Promise<void> {
  const began = performance.now();
  const terminal = new Terminal({ yes: flags.yes, left });
  const workspace = await openWorkspace();
  try {
    terminal.heading('Hexagent drives the Claude Code CLI from a program. Six reasons for it:');
    terminal.line(
      flags.live
        ? 'The CLI and the model are real, with your own login or key. What it costs is yours. Ctrl-C ends the demo.'
        : 'The CLI is the real one, the model is a script on this machine. Ctrl-C ends the demo.',
    );
    const wrong = await playAll(flags, terminal, workspace);
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    terminal.heading(
      wrong.length === 0 ? `All of that held, in ${seconds} s.` : `Not all of that held: ${wrong.length} facts.`,
    );
    terminal.line('Each scene is a small program: read examples/demo/scenes. To begin: README.md.');
    if (wrong.length > 0) process.exitCode = 1;
  } finally {
    await workspace.remove();
  }
}

function leave(): void {
  console.log('\nYou left. The agent has ended too.');
  process.exitCode = Number(left.signal.reason);
}

function fail(error: unknown): void {
  process.exitCode = 1;
  console.error(`\nThe demo cannot go on.\n${explain(error)}`);
}

/** For a person who did not write this program: a stack only where it has a defect. */
function explain(error: unknown): string {
  if (SdkError.is(error)) return `${error.message}\n${error.remedy}`;
  if (error instanceof TurnFailed || isOfSystem(error)) return error.message;
  return inspect(error);
}

/** Whether the operating system refused something. */
function isOfSystem(error: unknown): error is Error {
  return error instanceof Error && ('syscall' in error || isOfSystem(error.cause));
}

const flags = flagsOf(process.argv.slice(2));
if (flags === undefined) process.exitCode = 2;
else if (flags.help) process.stdout.write(usage);
else {
  for (const [signal, code] of Object.entries(exitCodes)) process.on(signal, () => left.abort(code));
  process.stdout.on('error', () => left.abort(exitCodes.SIGHUP)); // the reader has gone, as with `| head`
  await main(flags).catch((error: unknown) => (left.signal.aborted ? leave() : fail(error)));
}
