import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  allow,
  answerQuestions,
  approvePlan,
  createSdk,
  deny,
  openSession,
  type AnswerReceipt,
  type AskHandler,
  type PermissionRequest,
} from '@hexagent/sdk';
import { expect, it } from 'vitest';
import { onePending } from '../support/asking.ts';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { callOnce } from '../support/tool-calls.ts';
import { planned } from './planning.ts';
import { remember, twice } from './remembering.ts';
import { asks } from './two-questions.ts';
import { bash, world } from './world.ts';

withCli('A permission', () => {
  const asked: PermissionRequest[] = [];
  const approving =
    (onAsk: AskHandler): AskHandler =>
    (ask) => {
      if (ask.kind === 'call') asked.push(ask.request);
      return onAsk(ask);
    };

  it('that is granted lets the tool run', async () => {
    await using place = await stage(callOnce('Bash', { command: 'touch made && echo done' }));
    await using session = await openSession({ ...place.options, onAsk: approving(() => allow()) });
    expect(await session.send('go').result).toMatchObject({ kind: 'completed', text: 'The tool said: done' });
    expect(asked.at(-1)).toMatchObject({ tool_name: 'Bash', input: { command: 'touch made && echo done' } });
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(true);
  });

  it('that is denied stops the tool from running, and the model reads why', async () => {
    await using place = await stage(callOnce('Bash', { command: 'touch made' }));
    await using session = await openSession({ ...place.options, onAsk: () => deny('not today') });
    const outcome = await session.send('go').result;
    expect(outcome).toMatchObject({ kind: 'completed', result: { permission_denials: [{ tool_name: 'Bash' }] } });
    expect(outcome.kind === 'completed' && outcome.text).toContain('not today');
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(false);
  });

  it('that a rule denies never reaches the approver, and the tool never runs', async () => {
    await using place = await stage(callOnce('Bash', { command: 'rm -f keep && touch made' }));
    const before = asked.length;
    await using session = await openSession({
      ...place.options,
      permissions: { deny: ['Bash(rm *)'] },
      onAsk: approving(() => allow()),
    });
    await session.send('go').result;
    expect(asked.length).toBe(before);
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(false);
  });
});

withCli('A request that waits for a person', () => {
  it('#24 runs when it is allowed by its id, once, from elsewhere in the program', async () => {
    await using place = await stage(callOnce('Bash', { command: 'touch made' }));
    await using session = await openSession({ ...place.options, onAsk: () => null });
    const turn = session.send('go');
    const { id, ...pending } = await onePending(session);
    expect(pending).toMatchObject({ kind: 'call', tool: 'Bash', input: { command: 'touch made' } });
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(false);
    expect(session.pending.answer(id, allow())).toBe<AnswerReceipt>('accepted');
    expect(session.pending.answer(id, deny('too late'))).toBe<AnswerReceipt>('already_answered');
    expect(await turn.result).toMatchObject({ kind: 'completed' });
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(true);
  });
});

withCli('#37 Questions to a person', () => {
  it('are answered by their id from elsewhere in the program', async () => {
    await using place = await stage(asks);
    await using session = await createSdk().openSession({ ...place.options, onAsk: () => null });
    const turn = session.send('go');
    const asked = await onePending(session);
    expect(asked.kind).toBe('question');
    session.pending.answer(asked.id, answerQuestions(asked, { 'Which colour?': 'blue' }));
    expect(await turn.result).toMatchObject({ text: expect.stringContaining('"Which colour?"="blue"') });
  });
});

withCli('#37 A plan', () => {
  it('is shown with its text and its file, and approved as it is', async () => {
    const { plans, asked, modes, read, made } = await planned((ask) => approvePlan(ask));
    expect(plans).toMatchObject([{ plan: '# Plan 1', planFilePath: expect.stringMatching(/\.md$/) }]);
    expect(read).toContain('User has approved your plan');
    expect(read).not.toContain('edited by user');
    expect(modes).toContain('default');
    expect(asked).toEqual(['Bash']); // the agent left plan mode, and asks as it does
    expect(made).toBe(true);
  });
});

withCli('#38 What an approver remembers', () => {
  it('for the user holds in another session', async () => {
    await using place = await stage(twice);
    await remember(place, 'user');
    await using again = await stage(twice);
    await using session = await createSdk().openSession({
      ...place.options,
      env: { policy: 'exact', set: { ...place.env, ANTHROPIC_BASE_URL: again.loopback.url } },
      settings: 'user',
      onAsk: () => null,
    });
    await session.send('go').result;
    expect(session.pending.list()).toEqual([]);
  });
});

withCli('A rule of a session', () => {
  it('with content allows from the start, added at run time, and no more once it is removed', async () => {
    await using here = await world({ permissions: { allow: ['Bash(touch one*)'] } });
    const { permissions } = here.session;
    await here.call(bash('touch one-a'), bash('touch two-a'), bash('touch one-b && touch two-b'));
    expect(here.asked()).toEqual(['touch two-a', 'touch one-b && touch two-b']);
    await permissions.add({ allow: ['Bash(touch two*)'] });
    await here.call(bash('touch one-c && touch two-c'));
    expect(here.asked()).toEqual([]);
    await permissions.remove({ allow: ['Bash(touch one*)'] });
    await here.call(bash('touch one-d'), bash('touch two-d'));
    expect(here.asked()).toEqual(['touch one-d']);
    const made = ['one-a', 'one-c', 'two-c', 'two-d'];
    expect(
      ['one-a', 'two-a', 'one-b', 'two-b', 'one-c', 'two-c', 'one-d', 'two-d'].filter((name) =>
        existsSync(join(here.cwd, name)),
      ),
    ).toEqual(made);
  });
});
