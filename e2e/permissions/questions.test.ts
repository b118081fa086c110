import {
  answerQuestions,
  declineQuestions,
  deny,
  openSession,
  type QuestionAnswers,
  type AskHandler,
  type SessionOptions,
} from '@hexagent/sdk';
import { query, type CanUseTool } from '@hexagent/sdk/claude-agent-sdk';
import { expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { expectWarnings } from '../support/warnings.ts';
import { asks, input } from './two-questions.ts';

expectWarnings();

/** What the model reads after its questions. */
async function modelReads(onAsk: AskHandler, permissions: SessionOptions['permissions'] = {}): Promise<string> {
  await using place = await stage(asks, { IS_SANDBOX: '1' });
  await using session = await openSession({ ...place.options, onAsk, permissions });
  const outcome = await session.send('go').result;
  return outcome.kind === 'completed' ? outcome.text : outcome.kind;
}

const answering =
  (answers: QuestionAnswers): AskHandler =>
  (ask) =>
    ask.kind === 'question' ? answerQuestions(ask, answers) : deny('no');

withCli('#37 Questions to a person', () => {
  it.each<[string, QuestionAnswers, string]>([
    [
      'one choice of each',
      { 'Which colour?': 'red', 'Which sizes?': 'M' },
      '"Which colour?"="red", "Which sizes?"="M"',
    ],
    ['several choices', { 'Which colour?': 'red', 'Which sizes?': ['S', 'M'] }, '"Which sizes?"="S, M"'],
    ['a text of its own', { 'Which colour?': 'ask Ada first' }, '"Which colour?"="ask Ada first"'],
    ['a part of them', { 'Which sizes?': ['S'] }, '"Which sizes?"="S"'],
  ])('are answered in words that the model reads: %s', async (_, answers, words) => {
    expect(await modelReads(answering(answers))).toContain(words);
  });

  it('that are all left open are reported as that', async () => {
    expect(await modelReads(answering({}))).toContain('did not answer');
  });

  it('get their input as it is typed', async () => {
    const seen: unknown[] = [];
    await modelReads(({ input: asked, kind }) => (seen.push(asked, kind), declineQuestions()));
    expect(seen).toEqual([expect.objectContaining(input), 'question']);
  });

  it.each<[string, SessionOptions['permissions']]>([
    ['default', {}],
    ['plan', { cliMode: 'plan' }],
    ['acceptEdits', { cliMode: 'acceptEdits' }],
    ['bypassPermissions', { cliMode: 'bypassPermissions', allowBypass: true }],
    ['an allow rule', { allow: ['AskUserQuestion'] }],
    ['the mode allow', { mode: 'allow' }],
  ])('go to a person whatever the mode and the rules: %s', async (_, permissions) => {
    const answer = answering({ 'Which colour?': 'blue' });
    expect(await modelReads(answer, permissions)).toContain('"Which colour?"="blue"');
  });

  it('are answered in canUseTool by the same function', async () => {
    await using place = await stage(asks);
    const canUseTool: CanUseTool = async (name, given) =>
      name === 'AskUserQuestion' ? answerQuestions({ input: given }, { 'Which colour?': 'red' }) : deny('no');
    const results: unknown[] = [];
    const options = { cwd: place.home.cwd, env: { ...place.env }, pathToClaudeCodeExecutable: cli, canUseTool };
    for await (const message of query({ prompt: 'go', options }))
      if (message.type === 'result' && message.subtype === 'success') results.push(message.result);
    expect(results).toEqual([expect.stringContaining('"Which colour?"="red"')]);
  });
});
