import { existsSync } from 'node:fs';
import path from 'node:path';
import { gate, text, toolResults, toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { chatPlace } from './chat-place.ts';
import { approvalOn, settle, stateIn, toolPart } from './page-state.ts';

withCli('A chat whose subagent works in the background, with the real CLI,', () => {
  it('waits for an answer to it, also when the turn has ended in which it asked', async () => {
    const rest = gate();
    await using place = await chatPlace((request) => {
      const isFirst = toolResults(request).length === 0;
      const isSubagent = JSON.stringify(request.body.messages[0]).includes('SUBPROMPT');
      if (isSubagent) return isFirst ? toolUse('Bash', { command: 'touch made' }) : 'It is made.';
      const task = { description: 'd', prompt: 'SUBPROMPT', subagent_type: 'general-purpose', run_in_background: true };
      return isFirst ? toolUse('Agent', task) : text(['It works ', rest, 'in the background.']);
    });
    const page = place.page();
    const sent = page.sendMessage({ text: 'make it' });
    await expect.poll(() => stateIn(place)).toEqual(['awaiting-approval', 'awaiting-approval', true]);
    rest.open();
    await sent;
    await expect.poll(() => stateIn(place)).toEqual(['awaiting-approval', 'awaiting-approval', true]);

    const later = place.page();
    const reading = later.resumeStream();
    const approval = await approvalOn(later);
    expect(existsSync(path.join(place.stage.home.cwd, 'made'))).toBe(false);
    expect(await (await settle(place, approval, { approved: true })).json()).toEqual({ settled: true });
    await reading;
    expect(toolPart(later)).toMatchObject({ toolName: 'Bash', approval: { approved: true } });
    await expect.poll(() => existsSync(path.join(place.stage.home.cwd, 'made'))).toBe(true);
    await expect.poll(() => stateIn(place)).toEqual(['idle', 'idle', false]);
    expect(place.errors).toEqual([]);
  });
});
