import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Query } from '@anthropic-ai/claude-agent-sdk';
import { toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { failureOf } from './failing-alike.ts';
import { runReal } from './real.ts';
import type { Program, Sdk } from './run.ts';

/** Each method, as it is called in a session that is idle after its first turn. */
const calls: Readonly<
  Record<
    string,
    (query: Query, at: { readonly cwd: string; readonly sdk: Sdk; readonly message: string }) => Promise<unknown>
  >
> = {
  initializationResult: (q) => q.initializationResult(),
  reinitialize: (q) => q.reinitialize(),
  supportedCommands: (q) => q.supportedCommands(),
  supportedModels: (q) => q.supportedModels(),
  supportedAgents: (q) => q.supportedAgents(),
  accountInfo: (q) => q.accountInfo(),
  mcpServerStatus: (q) => q.mcpServerStatus(),
  getContextUsage: (q) => q.getContextUsage(),
  'getContextUsage of the summary': (q) => q.getContextUsage({ detail: 'summary' }),
  usage: (q) => q.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET({ skipBehaviors: true }),
  readFile: (q) => q.readFile('read.txt'),
  'readFile that is missing': (q) => q.readFile('missing.txt'),
  'readFile in part, as base64': (q) => q.readFile('read.txt', { maxBytes: 2, encoding: 'base64' }),
  reloadPlugins: (q) => q.reloadPlugins(),
  reloadSkills: (q) => q.reloadSkills(),
  reloadOutputStyles: (q) => q.reloadOutputStyles(),
  rewindFiles: (q, { message }) => q.rewindFiles(message, { dryRun: true }),
  seedReadState: (q, { cwd }) => q.seedReadState(join(cwd, 'read.txt'), 1),
  setMcpServers: (q, { sdk }) => q.setMcpServers({ late: sdk.createSdkMcpServer({ name: 'late', tools: [] }) }),
  toggleMcpServer: (q) => q.toggleMcpServer('unheard-of', false),
  reconnectMcpServer: (q) => q.reconnectMcpServer('unheard-of'),
  readMcpResource: (q) => q.readMcpResource('unheard-of', 'ui://x'),
  setMcpPermissionModeOverride: (q) => q.setMcpPermissionModeOverride('unheard-of', null),
  applyFlagSettings: (q) => q.applyFlagSettings({ permissions: { deny: ['Bash(rm *)'] } }),
  'applyFlagSettings that are invalid': (q) => q.applyFlagSettings({ permissions: { deny: 5 } } as never),
  updateSettings: (q) => q.updateSettings('localSettings', { outputStyle: 'Explanatory' }),
  'updateSettings that may not be': (q) => q.updateSettings('localSettings', { model: 'x' }),
  setPermissionMode: (q) => q.setPermissionMode('plan'),
  'setPermissionMode of no mode': (q) => q.setPermissionMode('nope' as never),
  setModel: (q) => q.setModel('claude-sonnet-5'),
  'setModel back': (q) => q.setModel(),
  setMaxThinkingTokens: (q) => q.setMaxThinkingTokens(4000, 'summarized'),
  stopTask: (q) => q.stopTask('unheard-of'),
  backgroundTasks: (q) => q.backgroundTasks(),
  'backgroundTasks of one': (q) => q.backgroundTasks('toolu_none'),
  interrupt: (q) => q.interrupt(),
};

/** Calls all of them between two turns, and closes the query in the third; records the form of each answer. */
const callAll: Program = async (sdk, { options, cwd, note }) => {
  await writeFile(join(cwd, 'read.txt'), 'some text');
  const prompt = new Prompt();
  const running = sdk.query({
    prompt,
    options: { ...options, enableFileCheckpointing: true, allowedTools: ['Write'] },
  });
  const message = crypto.randomUUID();
  prompt.send('first', message);
  await untilResult(running);
  for (const [name, call] of Object.entries(calls)) {
    let answer: unknown;
    const failure = await failureOf(async () => {
      answer = await call(running, { cwd, sdk, message });
    });
    note(name, failure === undefined ? formOf(answer) : { failed: failure.message.replaceAll(cwd, '/cwd') });
  }
  const sent = running.streamInput(
    (async function* () {
      yield { type: 'user', message: { role: 'user', content: 'second' }, parent_tool_use_id: null } as const;
    })(),
  );
  await untilResult(running);
  note('streamInput', await failureOf(() => sent));
  running.close();
  note('close', (await running.next()).done);
};

/** Messages that are sent one by one. */
class Prompt implements AsyncIterable<Parameters<Query['streamInput']>[0] extends AsyncIterable<infer T> ? T : never> {
  #send: (message: unknown) => void = () => {};
  readonly #message = new Promise<unknown>((resolve) => (this.#send = resolve));

  send(content: string, uuid: string): void {
    this.#send({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, uuid });
  }

  async *[Symbol.asyncIterator]() {
    yield (await this.#message) as never;
    await new Promise(() => {}); // the input stays open
  }
}

async function untilResult(running: Query): Promise<void> {
  for (;;) {
    const { done, value } = await running.next();
    if (done === true) throw new Error('It ended early.');
    if (value.type === 'result') return;
  }
}

/** What a value is made of, down to the members of lists, without what each run has of its own. */
function formOf(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [formOf(value[0], depth + 1)];
  if (typeof value !== 'object' || value === null)
    return depth === 0 || typeof value === 'boolean' ? value : typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, member]) => [key, formOf(member, depth + 1)]),
  );
}

withCli('Every method of a query, with the real CLI', () => {
  it('answers and fails as in the official package, between two turns', async () => {
    const script = [toolUse('Write', { file_path: 'written.txt', content: 'x' }), 'first', 'second', 'third'];
    const [official, ours] = await Promise.all([
      runReal('official', callAll, script),
      runReal('ours', callAll, script),
    ]);
    expect({ thrown: official.thrown, hangs: official.hangs }).toEqual({ thrown: undefined, hangs: false });
    expect(Object.keys(official.notes)).toEqual([...Object.keys(calls), 'streamInput', 'close']);
    for (const [name, note] of Object.entries(official.notes)) expect(ours.notes[name], name).toEqual(note);
    expect(ours.thrown).toBeUndefined();
    expect(ours.files).toEqual(official.files);
    expect(official.notes).toMatchObject({
      readFile: { contents: 'string' },
      'readFile that is missing': null,
      'setPermissionMode of no mode': { failed: expect.stringContaining('permission mode') },
      rewindFiles: { canRewind: true },
      streamInput: undefined,
      close: true,
    });
  });
});
