import { expect, it } from 'vitest';
import { figures, outputChunk, textChunks, toolChunks } from './chunks.ts';
import { field, say, type Place } from './place.ts';
import { StandIn, type TurnScript } from './stand-in.ts';

export function asking(place: Place): void {
  const open = async (script: TurnScript) => {
    const standIn = new StandIn(script);
    const { url } = await place.serve(standIn.handle);
    return { standIn, url, ...(await place.visit(url)) };
  };

  it('asks before a tool runs, and sends only what was ticked', async () => {
    const suggestions = [
      {
        type: 'addRules',
        behavior: 'allow',
        rules: [{ toolName: 'Bash', ruleContent: 'npm test' }],
        destination: 'localSettings',
      },
      { type: 'addDirectories', directories: ['../shared'], destination: 'session' },
      { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
    ];
    const { page, standIn } = await open(async ({ write, ask }) => {
      write(
        ...textChunks('a', 'I will run the tests.'),
        ...toolChunks('b', 'Bash', { command: 'npm test -- --reporter=verbose' }),
      );
      const { approved } = await ask('ask-1', 'b', { kind: 'permission', suggestions });
      write({ type: 'tool-approval-response', approvalId: 'ask-1', approved });
      if (approved) write(outputChunk('b', { stdout: '14 passed', stderr: '' }), ...textChunks('c', 'All pass.'));
      else write({ type: 'tool-output-denied', toolCallId: 'b' }, ...textChunks('c', 'Then I leave it.'));
      write(figures);
    });
    await say(page, 'Run the tests');
    const card = page.getByRole('region', { name: /Permission needed/ });
    await card.waitFor();
    for (const box of await card.getByRole('checkbox').all()) expect(await box.isChecked()).toBe(false);
    await place.picture(page, 'approval');
    await card.getByText("Don't ask again for npm test").click();
    await card.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByText('All pass.').waitFor();
    await page.locator('#message:focus').waitFor();
    expect(standIn.answers).toEqual([{ approved: true, suggestions: [0] }]);
    await say(page, 'Again');
    await card.waitFor();
    await card.getByRole('button', { name: 'Deny' }).click();
    await card.getByRole('textbox').fill('Not now');
    const [button, below] = await Promise.all(
      [card.getByRole('button', { name: 'Deny', exact: true }), field(page)].map((each) => each.boundingBox()),
    );
    expect((button?.y ?? Infinity) + (button?.height ?? 0)).toBeLessThan(below?.y ?? 0);
    await place.picture(page, 'denying');
    await card.getByRole('button', { name: 'Deny', exact: true }).click();
    await page.getByText('Then I leave it.').waitFor();
    await page.locator('#message:focus').waitFor();
    expect(standIn.answers.at(-1)).toEqual({ approved: false, reason: 'Not now' });
  });

  it('offers no suggestion that the server does not accept, or after which the agent asks again', async () => {
    const suggestions = [
      { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
      { type: 'addDirectories', directories: ['../shared'], destination: 'session' },
      {
        type: 'addRules',
        behavior: 'allow',
        rules: [{ toolName: 'Bash', ruleContent: 'echo hi > a.txt' }],
        destination: 'session',
      },
    ];
    const again = 'The agent asks about this call again: the rule does not cover all of it.';
    const reason = 'This server does not let callers choose the mode acceptEdits.';
    const { page, standIn } = await open(async ({ write, ask }) => {
      write(...toolChunks('b', 'Write', { file_path: 'a.txt', content: 'a' }));
      const { approved } = await ask('ask-1', 'b', {
        kind: 'permission',
        suggestions,
        refusedSuggestions: [{ index: 0, reason }],
        asksAgain: [{ index: 2, reason: again }],
      });
      write({ type: 'tool-approval-response', approvalId: 'ask-1', approved });
      write(outputChunk('b', 'written'), ...textChunks('c', 'It is written.'), figures);
    });
    await say(page, 'Write it');
    const card = page.getByRole('region', { name: /Permission needed/ });
    await card.getByRole('checkbox', { name: 'Allow access to ../shared in this chat' }).check();
    expect([await card.getByRole('checkbox').count(), await card.getByText(reason).count()]).toEqual([1, 0]);
    await card.getByText(`Not offered: “Don't ask again for echo hi > a.txt”. ${again}`).waitFor();
    await place.picture(page, 'suggestion-that-asks-again');
    await card.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByText('It is written.').waitFor();
    expect(standIn.answers).toEqual([{ approved: true, suggestions: [1] }]);
  });

  it('answers a question with one choice, one with several, and one with other words', async () => {
    const option = (label: string, description: string) => ({ label, description });
    const questions = [
      {
        question: 'Which tone should the letter have?',
        header: 'Tone',
        multiSelect: false,
        options: [option('Warm', 'Like to a friend'), option('Brief', 'A few lines')],
      },
      {
        question: 'What should it be about?',
        header: 'Topics',
        multiSelect: true,
        options: [option('Tea', 'And biscuits'), option('Trains', 'By night'), option('Chess', 'Openings')],
      },
      {
        question: 'Where is it sent?',
        header: 'Place',
        multiSelect: false,
        options: [option('London', 'By mail'), option('Turin', 'By train')],
      },
    ];
    const { page, standIn } = await open(async ({ write, ask }) => {
      write(...toolChunks('q', 'AskUserQuestion', { questions }));
      await ask('ask-1', 'q', { kind: 'question', suggestions: [] });
      write({ type: 'tool-approval-response', approvalId: 'ask-1', approved: true });
      write(outputChunk('q', 'Answered.'), ...textChunks('t', 'Thank you.'), figures);
    });
    await say(page, 'Write a letter');
    const card = page.getByRole('region', { name: /Questions/ });
    const answer = card.getByRole('button', { name: 'Submit' });
    await card.waitFor();
    expect(await answer.isDisabled()).toBe(true);
    await card.getByRole('radio', { name: /Brief/ }).check();
    await card.getByRole('checkbox', { name: /Tea/ }).check();
    await card.getByRole('checkbox', { name: /Chess/ }).check();
    expect(await answer.isDisabled()).toBe(true);
    await card.getByRole('radio', { name: /London/ }).check();
    await card.getByRole('textbox', { name: /Where is it sent/ }).fill('To the moon');
    expect(await card.getByRole('radio', { name: /London/ }).isChecked()).toBe(false);
    await place.picture(page, 'questions');
    await answer.click();
    await page.getByText('Thank you.').waitFor();
    await page.locator('#message:focus').waitFor();
    expect(standIn.answers).toEqual([
      {
        approved: true,
        answers: {
          'Which tone should the letter have?': ['Brief'],
          'What should it be about?': ['Tea', 'Chess'],
          'Where is it sent?': ['To the moon'],
        },
      },
    ]);
  });

  it('shows a form from its beginning where it is longer than the window, and does not move it while it is filled in', async () => {
    const options = ['Red', 'Green', 'Blue', 'White'].map((label) => ({ label, description: `All in ${label}` }));
    const questions = ['Which walls?', 'Which doors?', 'Which floors?'].map((question) => ({ question, options }));
    const { page } = await open(async ({ write, ask }) => {
      write(...toolChunks('q', 'AskUserQuestion', { questions }));
      await ask('ask-1', 'q', { kind: 'question', suggestions: [] });
    });
    await page.setViewportSize({ width: 640, height: 400 });
    await say(page, 'Paint the house');
    const topOf = async (text: string): Promise<number> =>
      (await page.getByText(text, { exact: true }).first().boundingBox())?.y ?? -1;
    await page.getByRole('group', { name: 'Which floors?' }).waitFor();
    await expect.poll(() => topOf('Please answer 3 questions')).toBeGreaterThan(50);
    expect(await topOf('Please answer 3 questions')).toBeLessThan(200);
    await place.picture(page, 'long-form');
    await page.getByRole('textbox', { name: /Which doors/ }).fill('Yellow');
    const before = await topOf('Which doors?');
    await page.setViewportSize({ width: 620, height: 400 });
    await page.getByRole('radio', { name: /Blue/ }).nth(1).check();
    expect(Math.abs((await topOf('Which doors?')) - before)).toBeLessThan(100);
  });

  it('approves a plan as edited, or requests changes', async () => {
    const plan = '# A plan\n\n1. Read the tests\n2. Delete the slow ones';
    const { page, standIn } = await open(async ({ write, ask, text }) => {
      write(...toolChunks('p', 'ExitPlanMode', { plan }));
      const permissionModes = text === 'one' ? { permissionModes: ['acceptEdits'] } : {};
      const { approved } = await ask(`ask-${text}`, 'p', { kind: 'plan', suggestions: [], ...permissionModes });
      write({ type: 'tool-approval-response', approvalId: `ask-${text}`, approved });
      if (approved) write(outputChunk('p', 'Approved.'), ...textChunks('t', 'I begin.'), figures);
      else write({ type: 'tool-output-denied', toolCallId: 'p' }, ...textChunks('t', 'I plan again.'), figures);
    });
    await say(page, 'one');
    const card = page.getByRole('region', { name: /Plan:/ });
    await card.getByText('Delete the slow ones').waitFor();
    expect(await card.getByRole('checkbox').isChecked()).toBe(false);
    await place.picture(page, 'plan');
    await card.getByRole('button', { name: 'Edit' }).click();
    const edited = plan.replace('Delete', 'Mend');
    await card.getByRole('textbox').fill(edited);
    await place.picture(page, 'plan-edited');
    await card.getByRole('button', { name: 'Approve edited plan' }).click();
    await page.getByText('I begin.').waitFor();
    expect(standIn.answers).toEqual([{ approved: true, plan: edited }]);
    await say(page, 'two');
    await card.waitFor();
    expect(await card.getByRole('checkbox').count()).toBe(0);
    await card.getByRole('button', { name: 'Request changes' }).click();
    await card.getByRole('textbox').fill('Keep the tests.');
    await card.getByRole('textbox').press('Enter');
    await page.getByText('I plan again.').waitFor();
    expect(standIn.answers.at(-1)).toEqual({ approved: false, reason: 'Keep the tests.' });
  });
}
