/*
 * One agent, two turns: streamed text, a tool that asks a person, a tool that is denied by rule, and what it cost.
 * Offline against a scripted model unless called with `--live`, which uses your own login or key.
 */
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import {
  allow,
  deny,
  formatCost,
  hintOf,
  openSession,
  SdkError,
  textDeltaOf,
  toolUsesOf,
  type Turn,
  type Approver,
} from '@hexagent/sdk';
import { offline, type Stage } from './offline.ts';

const { values: flags } = parseArgs({
  options: { live: { type: 'boolean', default: false }, yes: { type: 'boolean', default: false } },
});

const approver: Approver = async ({ tool_name, input }, { signal }) => {
  const question = `\n  May it run ${tool_name} ${JSON.stringify(input)}? [y/n] `;
  if (flags.yes || !process.stdin.isTTY) {
    console.log(`${question}${flags.yes ? 'y (--yes)' : 'n (no terminal to ask; use --yes)'}`);
    return flags.yes ? allow() : deny('Nobody is there to be asked.');
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(question, { signal });
    return answer.trim().toLowerCase().startsWith('y') ? allow() : deny('The person said no.');
  } finally {
    terminal.close();
  }
};

async function show(prompt: string, turn: Turn): Promise<void> {
  console.log(`\nYou: ${prompt}`);
  process.stdout.write('Agent: ');
  for await (const message of turn) {
    process.stdout.write(textDeltaOf(message));
    for (const { name, input } of toolUsesOf(message)) console.log(`\n  [wants ${name} ${JSON.stringify(input)}]`);
    if (message.type === 'system' && message.subtype === 'api_retry')
      console.log(
        `  [the service failed (${message.error_status ?? 'no connection'}), trying again. ${hintOf(message)?.remedy ?? ''}]`,
      );
  }
  const outcome = await turn.result;
  if (outcome.kind === 'failed') {
    process.exitCode = 1;
    console.log(`\n  [failed: ${outcome.message} ${outcome.hint?.remedy ?? ''}]`);
  }
  if (outcome.kind !== 'cancelled') console.log(`\n  [${outcome.kind}, ${formatCost(outcome.cost)}]`);
}

async function run(stage: Stage): Promise<void> {
  const session = await openSession({
    cwd: stage.cwd,
    env: stage.env,
    partialMessages: true,
    permissions: { approver, deny: ['WebFetch'] },
  });
  try {
    for (const prompt of stage.prompts) await show(prompt, session.send(prompt));
    const { code } = await session.finish();
    console.log(`\nThe agent has left with code ${code ?? 'none'}. Nothing is left running.`);
  } finally {
    await session.close();
  }
}

const stage = flags.live ? await (await import('./live.ts')).live() : await offline();
console.log(stage.title);
try {
  await run(stage);
} catch (error) {
  if (!SdkError.is(error)) throw error;
  console.error(`\n${error.message}\n${error.remedy}`);
  process.exitCode = 1;
} finally {
  await stage.end();
}
