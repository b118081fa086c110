import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allowWith, describeSuggestions } from '@hexagent/approvals';
import { allow, answerQuestions, approvePlan, deny, openSession, type AskHandler } from '@hexagent/sdk';
import { toolUse, type ModelRequest } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { byPrompt } from '../support/by-prompt.ts';
import { withCli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';
import { callOnce } from '../support/tool-calls.ts';
import { askedAgain, isMade } from './asked-again.ts';
import { Desk, folderOf, waitingAt } from './desk.ts';

const touch = callOnce('Bash', { command: 'touch made' });
/** How many tools the model has called. */
const callsIn = ({ body }: ModelRequest): number =>
  body.messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool_use'),
  ).length;

withCli('An approval that is stored', () => {
  it('#24 of a call is answered from another part of the program, and the answer is in the audit', async () => {
    await using place = await stage(touch);
    await using desk = new Desk(place);
    await using session = await openSession({ ...place.options, onAsk: desk.onAsk });
    const turn = session.send('go');
    const { id, ...record } = await waitingAt(desk);
    expect(record).toMatchObject({ kind: 'permission', tool: 'Bash', input: { command: 'touch made' } });
    expect(isMade(place)).toBe(false);
    const outcomes = await Promise.all([
      desk.approvals.settle(id, allow(), 'ada'),
      desk.approvals.settle(id, deny('no'), 'bob'),
    ]);
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['already', 'settled']);
    expect(outcomes.map((settled) => settled.outcome !== 'unknown' && settled.record.actor)).toEqual(['ada', 'ada']);
    expect(await turn.result).toMatchObject({ kind: 'completed' });
    expect(isMade(place)).toBe(true);
    const audit = await readFile(join(folderOf(place), 'audit.jsonl'), 'utf8');
    expect(audit.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(audit)).toMatchObject({ id, actor: 'ada', behavior: 'allow', input: { command: 'touch made' } });
  });

  it('of a question reaches the model with its answers', async () => {
    const question = { question: 'Which colour?', header: 'Colour', multiSelect: false };
    const options = ['red', 'blue'].map((label) => ({ label, description: `It is ${label}.` }));
    await using place = await stage(callOnce('AskUserQuestion', { questions: [{ ...question, options }] }));
    await using desk = new Desk(place);
    await using session = await openSession({ ...place.options, onAsk: desk.onAsk });
    const turn = session.send('go');
    const { id, kind, input } = await waitingAt(desk);
    expect(kind).toBe('question');
    await expect(desk.approvals.settle(id, allow(), 'ada')).rejects.toThrow('answerQuestions()');
    await desk.approvals.settle(id, answerQuestions({ input }, { 'Which colour?': 'blue' }), 'ada');
    expect(await turn.result).toMatchObject({ text: expect.stringContaining('"Which colour?"="blue"') });
  });

  it('of a plan lets the agent continue, in the mode that was chosen', async () => {
    await using place = await stage((request) => {
      const calls = callsIn(request);
      const path = /\/[\w./-]+\/plans\/[\w.-]+\.md/.exec(JSON.stringify(request.body))?.[0];
      if (calls === 0) return toolUse('Write', { file_path: path, content: '# The plan' });
      return calls === 1 ? toolUse('ExitPlanMode', {}) : 'I go on.';
    });
    await using desk = new Desk(place);
    await using session = await openSession({
      ...place.options,
      permissions: { cliMode: 'plan' },
      onAsk: desk.onAsk,
    });
    const turn = session.send('go');
    const { id, kind, input } = await waitingAt(desk);
    expect([kind, input['plan']]).toEqual(['plan', '# The plan']);
    await desk.approvals.settle(id, approvePlan({ input }, { mode: 'acceptEdits' }), 'ada');
    expect(await turn.result).toMatchObject({ kind: 'completed', text: 'I go on.' });
    const entries = await Array.fromAsync(desk.approvals.audit());
    expect(entries).toMatchObject([{ updates: [{ type: 'setMode', mode: 'acceptEdits' }] }]);
  });

  it('stores the suggestions that were chosen, and no others', async () => {
    const outside = { file_path: '/tmp/hexagent-never-written', content: 'x' };
    await using place = await stage(byPrompt({ go: toolUse('Write', outside) }));
    await using desk = new Desk(place);
    await using session = await openSession({ ...place.options, onAsk: desk.onAsk });
    const turn = session.send('go');
    const record = await waitingAt(desk);
    const described = describeSuggestions(record);
    expect(described.map(({ kind }) => kind)).toContain('mode');
    expect(described.filter(({ isPreselected, kind }) => isPreselected && kind !== 'rule')).toEqual([]);
    const chosen = described.filter(({ kind }) => kind === 'directory').map(({ index }) => index);
    const input = { ...outside, file_path: join(place.home.cwd, 'made') };
    await desk.approvals.settle(record.id, allowWith(record, chosen, { input }), 'ada');
    const modes: unknown[] = [];
    await turn.result;
    for await (const message of session.send('more'))
      if (message.type === 'system' && message.subtype === 'init') modes.push(message.permissionMode);
    expect(isMade(place)).toBe(true);
    expect(existsSync(outside.file_path)).toBe(false);
    expect(modes).toEqual(['default']);
  });

  it('is cancelled by an interrupt; allowing it then runs nothing', async () => {
    await using place = await stage(touch);
    await using desk = new Desk(place);
    await using session = await openSession({ ...place.options, onAsk: desk.onAsk });
    const turn = session.send('go');
    const { id } = await waitingAt(desk);
    expect(await turn.interrupt()).toBe('interrupted');
    await expect.poll(() => desk.approvals.get(id)).toMatchObject({ state: 'cancelled' });
    expect(await desk.approvals.settle(id, allow(), 'ada')).toMatchObject({ outcome: 'already' });
    expect(isMade(place)).toBe(false);
  });

  it.each([
    ['Bash', { command: 'touch made', description: 'Makes it' }],
    ['Write', { file_path: 'FOLDER/made', content: 'one\n' }],
    ['Edit', { file_path: 'FOLDER/there', old_string: 'one', new_string: 'two' }],
  ])('that sends the input that was shown changes nothing of what is known of the call: %s', async (tool, input) => {
    const known = async (onAsk: (place: Stage) => Promise<AskHandler>): Promise<unknown> => {
      await using place = await stage((request) => {
        const given = JSON.parse(JSON.stringify(input).replace('FOLDER', place.home.cwd));
        const calls = callsIn(request);
        if (tool === 'Edit' && calls === 0) return toolUse('Read', { file_path: given.file_path });
        return calls < (tool === 'Edit' ? 2 : 1) ? toolUse(tool, given) : 'Done.';
      });
      await writeFile(join(place.home.cwd, 'there'), 'one\n');
      await using session = await openSession({ ...place.options, onAsk: await onAsk(place) });
      const results: unknown[] = [];
      for await (const message of session.send('go'))
        if (message.type === 'user') results.push(message.message.content, message.tool_use_result);
      return JSON.parse(
        JSON.stringify(results)
          .replaceAll(place.home.root, 'ROOT')
          .replaceAll(/toolu_\w+/g, 'toolu'),
      );
    };
    let desk: Desk | undefined;
    const plain = await known(async () => () => allow());
    const stored = await known(async (place) => {
      desk = new Desk(place);
      const { approvals } = desk;
      approvals.subscribe(({ type, record }) =>
        type === 'opened' ? approvals.settle(record.id, allow(), 'ada') : undefined,
      );
      return desk.onAsk;
    });
    await desk?.store.close();
    expect(JSON.stringify(plain)).not.toContain('"is_error":true');
    expect(stored).toEqual(plain);
  });
});

withCli('A program that is killed while an approval waits', () => {
  it('and resumed is asked again by the model, and offers the answer that was given meanwhile', () =>
    askedAgain(allow()));
});
