import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  gate,
  lastUserText,
  text,
  thinking,
  toolUse,
  type ModelRequest,
  type Part,
  type TurnLike,
} from '@hexagent/testing/loopback';
import { expect } from 'vitest';
import type { Comparable } from './compare.ts';
import type { Run } from './conversation.ts';
import type { LiveTurn } from './live-turns.ts';

export const withoutIds = (answers: readonly Comparable[]): readonly Comparable[] =>
  answers.map((answer) => ({ ...answer, id: undefined }));

export const callsIn = ({ body }: ModelRequest): number =>
  body.messages
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    .filter(({ type }) => type === 'tool_use').length;

/** Answers with these parts first, and then with a text. */
export const once =
  (...parts: readonly Part[]) =>
  (request: ModelRequest): TurnLike =>
    callsIn(request) === 0 ? [...parts] : 'done';

export const bash = (command: string): Part => toolUse('Bash', { command });
export async function waitFor(path: string): Promise<void> {
  await expect.poll(() => existsSync(path)).toBe(true);
}

export async function delta({ chunks }: LiveTurn): Promise<void> {
  await expect.poll(() => chunks.some(({ type }) => type === 'text-delta')).toBe(true);
}

export const questions = {
  questions: [
    {
      question: 'Which colour?',
      header: 'Colour',
      multiSelect: false,
      options: ['red', 'blue'].map((label) => ({ label, description: label })),
    },
  ],
};

export const delegate = (more: Readonly<Record<string, unknown>>): Part =>
  toolUse('Task', { description: 'd', prompt: 'SUBPROMPT', subagent_type: 'general-purpose', ...more });

/** Delegates once; the subagent thinks, makes a file, and answers. */
export const delegating =
  (more: Readonly<Record<string, unknown>>) =>
  (request: ModelRequest): TurnLike => {
    const isSubagent = JSON.stringify(request.body.messages[0]).includes('SUBPROMPT');
    const isFirst = callsIn(request) === 0;
    if (isSubagent) return isFirst ? [text('sub text'), bash('touch sub')] : [thinking('so'), text('sub answer')];
    return isFirst ? [text('I delegate.'), delegate(more)] : 'main answer';
  };

/** Has what subagents write sent, too. */
export const forwarding = { extraArgs: { 'forward-subagent-text': null } } as const;
export const inForeground = { script: delegating({ run_in_background: false }), options: forwarding } as const;
export const withoutAsking = { ...inForeground, options: { ...forwarding, permissions: { allow: ['Bash'] } } } as const;

export async function followTheReport(run: Run): Promise<void> {
  await run.send('go').ended;
  for await (const turn of run.session.turns) {
    await run.follow(turn).ended;
    return;
  }
}

/** The file in which the agent is to keep its plan, from its prompt. */
export const planFile = ({ body }: ModelRequest): string =>
  /\/[\w./-]+\/plans\/[\w.-]+\.md/.exec(JSON.stringify(body))?.[0] ?? '';

export const planning = (request: ModelRequest): TurnLike => {
  const steps = [toolUse('Write', { file_path: planFile(request), content: '# Plan' }), toolUse('ExitPlanMode', {})];
  return steps[callsIn(request)] ?? 'done';
};

export async function interruptOnceItStreams(run: Run): Promise<void> {
  const live = run.send('one');
  await delta(live);
  await live.turn.interrupt();
  await live.ended;
  await run.send('two').ended;
}

/** Holds the first text for an interrupt. */
export const holdsFirst = (request: ModelRequest): TurnLike =>
  lastUserText(request) === 'one' ? [thinking('hm'), text(['partial ', gate()])] : 'fine';

export async function steerMeanwhile(run: Run): Promise<void> {
  const live = run.send('one');
  await waitFor(join(run.place.home.cwd, 'begun'));
  const steered = run.steer('also this');
  await steered.received;
  writeFileSync(join(run.place.home.cwd, 'go'), '');
  await live.ended;
}

export const failsOnce = (...first: readonly Part[]) => {
  let asked = 0;
  return (): TurnLike => {
    asked += 1;
    return asked === 1 ? [...first] : 'recovered';
  };
};
