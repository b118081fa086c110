/*
 * Runs what can be run without a server of Temporal: the activities, with the real CLI and a scripted model, and the workflow, which is replayed
 * against a history.
 */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { MockActivityEnvironment } from '@temporalio/testing';
import { bundleWorkflowCode, DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { hermeticEnv, hermeticHome, requireCli } from '@hexagent/testing/cli';
import { startLoopback, toolUse } from '@hexagent/testing/loopback';
import { DrivenSessions, type Message, type Step } from '../on-restate/driven-sessions.ts';
import { activitiesOf, type Activities } from './activities.ts';
import { HistoryBuilder } from './history.ts';

await runsActivities();
await replaysTheWorkflow();
console.log('The example on Temporal did what it should, as far as it can without a server.');
console.log('SKIPPED: worker, client and a server together. npm brings no server of Temporal.');

async function runsActivities(): Promise<void> {
  const script = [toolUse('Bash', { command: 'echo x > file' }), 'It is written.'];
  const [home, loopback] = await Promise.all([hermeticHome(), startLoopback(script)]);
  const env = { policy: 'exact', set: hermeticEnv({ loopback, home }) } as const;
  const executable = requireCli({ from: import.meta.url });
  const sessions = new DrivenSessions({ folder: `${home.root}/sessions`, session: { cwd: home.cwd, env, executable } });
  try {
    const activities = activitiesOf(sessions);
    const context = new MockActivityEnvironment();
    let beats = 0;
    context.on('heartbeat', () => (beats += 1));
    const message = { uuid: crypto.randomUUID(), text: 'Write.' };
    const step = (): Promise<Step> =>
      context.run<[string, Message], Step, Activities['step']>(activities.step, 'a', message);
    const first = await step();
    assert.ok('asks' in first && first.asks.tool === 'Bash');
    // Temporal may run an activity again, also while the first one still runs.
    assert.deepEqual(await step(), first);
    assert.equal(await context.run(activities.answer, first.asks.id, { isAllowed: true }), true);
    assert.equal(await context.run(activities.answer, first.asks.id, { isAllowed: true }), false);
    const end = { kind: 'completed', text: 'It is written.' };
    assert.deepEqual(await step(), { end });
    assert.deepEqual(await step(), { end });
    assert.equal(loopback.requests.length, 2);
    assert.ok(beats >= 4);
    console.log('The activities ran a message once, with a question in it.');
  } finally {
    await sessions.host.close();
    await loopback.close();
    await home.remove();
  }
}

async function replaysTheWorkflow(): Promise<void> {
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { filter: 'ERROR' } } });
  const workflowsPath = fileURLToPath(new URL('./session-workflow.ts', import.meta.url));
  const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
  const replay = (history: HistoryBuilder): Promise<void> =>
    Worker.runReplayHistory({ workflowBundle }, history.history, 'a');
  const [one, two] = [1, 2].map((n) => ({ uuid: String(n), text: `prompt ${n}` }));
  const asks = { id: 'q', tool: 'Bash', input: {} };
  const untilAsked = (): HistoryBuilder =>
    new HistoryBuilder('session')
      .signal('send', one)
      .signal('send', two)
      .signal('send', one)
      .task()
      .activity('step', ['a', one], { asks })
      .task();
  const answered = untilAsked().signal('answer', 'q', { isAllowed: true }).task();
  await replay(
    answered
      .activity('answer', ['q', { isAllowed: true }], true)
      .task()
      .activity('step', ['a', one], { end: { kind: 'completed', text: 'answer 1' } })
      .task()
      .activity('step', ['a', two], { end: { kind: 'completed', text: 'answer 2' } })
      .task(),
  );
  // No step before the answer. The workflow would not run against what it does not do.
  await assert.rejects(replay(untilAsked().activity('step', ['a', two], {}).task()), {
    name: 'DeterminismViolationError',
  });
  console.log('The workflow ran two messages in their order, and waited for a person.');
}
