/*
 * Runs the example with the server of Restate, the real CLI and a scripted model: order, repeats, approvals, and `kill -9` of the worker
 * in the middle of a turn and of a question.
 */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  gate,
  lastUserText,
  text,
  toolResults,
  toolUse,
  type ModelRequest,
  type TurnLike,
} from '@hexagent/testing/loopback';
import { findServer } from './restate-server.ts';
import type { OpenQuestion } from './session-object.ts';
import type { Stage } from './stage.ts';

/** Keeps the turn alive that is cut off. */
const held = gate();
const executable = findServer();
if (Number.parseInt(process.versions.node, 10) < 22)
  skip(`Restate needs Node 22, and this is ${process.versions.node}`);
else if (executable === undefined) skip(`npm brings no server of Restate for ${process.platform} ${process.arch}`);
else await check(executable);

function skip(why: string): void {
  assert.ok(!process.env['CI'], why);
  console.log(`SKIPPED: the example on Restate did not run: ${why}.`);
}

async function check(server: string): Promise<void> {
  const { openStage } = await import('./stage.ts'); // Node 20 cannot read it
  await using stage = await openStage(server, answer);
  await runsInOrderAndOnce(stage);
  await asksFromAnywhere(stage);
  await continuesAfterAKill(stage);
  await asksAnewAfterAKill(stage);
  await refusesWhatIsNoMessage(stage);
  assert.deepEqual(await stage.endWorker(), []);
  console.log('The example on Restate did what it should.');
}

async function runsInOrderAndOnce({ client, loopback }: Stage): Promise<void> {
  const uuids = ['1', '2', '3'].map(() => crypto.randomUUID());
  for (const [index, uuid] of uuids.entries()) await client('post', 'a', `prompt ${index + 1}`, uuid);
  const ends = await Promise.all([...uuids, uuids[0] ?? ''].map((uuid) => client('send', 'a', 'posted before', uuid)));
  assert.deepEqual(
    ends,
    [1, 2, 3, 1].map((n) => ({ kind: 'completed', text: `answer ${n}` })),
  );
  assert.deepEqual(prompts(loopback.requests.at(-1)), ['prompt 1', 'prompt 2', 'prompt 3']);
  assert.equal(loopback.requests.length, 3);
  console.log('Three messages were run in their order, each once, though it was sent twice.');
}

async function asksFromAnywhere({ client, folder }: Stage): Promise<void> {
  const end = client('send', 'b', 'write first');
  const { answerId, tool } = await questionOf(client, 'b');
  assert.equal(tool, 'Bash');
  assert.deepEqual(await readdir(folder), []);
  await client('answer', answerId, 'yes');
  assert.deepEqual(await end, { kind: 'completed', text: 'It is written.' });
  assert.deepEqual(await readdir(folder), ['first']);
  const denied = client('send', 'b', 'write second');
  await client('answer', (await questionOf(client, 'b')).answerId, 'no');
  assert.deepEqual(await denied, { kind: 'completed', text: 'I may not write it.' });
  assert.deepEqual(await readdir(folder), ['first']);
  console.log('A person allowed one call and denied another, from a process of its own.');
}

async function continuesAfterAKill({
  client,
  folder,
  killWorker,
  startWorker,
  loopback,
  written,
}: Stage): Promise<void> {
  const end = client('send', 'a', 'make a file, then talk');
  await Promise.race([held.reached, end]);
  // Behind a call, the CLI asks the model before the result is in its transcript: killed then, it would make the call again.
  await written(/"type":"tool_result","content":"made-/);
  await killWorker();
  held.open();
  await startWorker();
  assert.deepEqual(await end, { kind: 'completed', text: 'It went on.' });
  const made = (await readdir(folder)).filter((name) => name.startsWith('made-'));
  assert.equal(made.length, 1, 'The call that was finished was made again.');
  // The cut is visible to the model, and the message is there once.
  const seen = prompts(loopback.requests.at(-1)).slice(3);
  assert.deepEqual(seen, ['make a file, then talk', 'Continue from where you left off.']);
  console.log('The worker was killed in the middle of a turn, which continued after a visible cut.');
}

async function asksAnewAfterAKill({ client, folder, killWorker, startWorker }: Stage): Promise<void> {
  const end = client('send', 'b', 'write third');
  const lost = await questionOf(client, 'b');
  await killWorker();
  await startWorker();
  await client('answer', lost.answerId, 'yes');
  const anew = await questionOf(client, 'b', lost.answerId);
  assert.ok(
    !(await readdir(folder)).includes('third'),
    'The answer to the question of a dead agent was taken for another.',
  );
  await client('answer', anew.answerId, 'yes');
  assert.deepEqual(await end, { kind: 'completed', text: 'It is written.' });
  assert.ok((await readdir(folder)).includes('third'));
  console.log('The worker was killed while its agent waited for a person, who was asked anew.');
}

async function refusesWhatIsNoMessage({ ingress }: Stage): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch(`${ingress}/session/a/send`, { method: 'POST', headers, body: '{"uuid":"1"}' });
  assert.equal(status, 500); // and not tried again for ever
}

async function questionOf(client: Stage['client'], session: string, after?: string): Promise<OpenQuestion> {
  for (let tries = 0; tries < 200; tries += 1) {
    const found = (await client('question', session)) as OpenQuestion | null; // what the object returns, as JSON
    if (found !== null && found.answerId !== after) return found;
    await sleep(100);
  }
  throw new Error(`The session ${session} asked nothing.`);
}

/** What the person said, as the model reads it. */
function prompts(request: ModelRequest | undefined): readonly string[] {
  return (request?.body.messages ?? []).flatMap(({ role, content }) => {
    if (role !== 'user') return [];
    const texts = typeof content === 'string' ? [content] : content.flatMap((block) => block.text ?? []);
    return texts.filter((each) => !each.startsWith('<system-reminder>'));
  });
}

/** The model. After a cut the CLI has added a prompt of its own. */
function answer(request: ModelRequest): TurnLike {
  const prompt = lastUserText(request);
  const last = toolResults(request).at(-1);
  if (prompt.startsWith('prompt')) return prompt.replace('prompt', 'answer');
  if (prompt.startsWith('make')) {
    if (prompt !== prompts(request).at(-1)) return 'It went on.';
    return last === undefined ? toolUse('Bash', { command: 'mktemp made-XXXX' }) : text(['I talk', held]);
  }
  return write(prompt.replace('write ', ''), last);
}

function write(file: string, last: ReturnType<typeof toolResults>[number] | undefined): TurnLike {
  if (last?.text.includes('The person said no')) return 'I may not write it.';
  // What a killed agent had called has no result, so the model makes the call again.
  return last === undefined || last.isError ? toolUse('Bash', { command: `echo x >> ${file}` }) : 'It is written.';
}
