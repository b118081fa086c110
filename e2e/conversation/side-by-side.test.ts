import { join } from 'node:path';
import { createSdkMcpServer, openSession } from '@hexagent/sdk';
import { gate, lastUserText, text, toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { callAll, echo } from '../support/tool-calls.ts';

withCli('#41 Three sessions at the same time', () => {
  it('receive each its own answers, in any order', async () => {
    const held = [gate(), gate(), gate()];
    await using place = await stage((request) => {
      const prompt = lastUserText(request);
      return text([`heard ${prompt}`, held[Number(prompt)] ?? gate()]);
    });
    const sessions = await Promise.all(held.map(() => openSession(place.options)));
    const turns = sessions.map((session, index) => session.send(`${index}`));
    for (const door of held.toReversed()) {
      await door.reached;
      door.open();
    }
    const outcomes = await Promise.all(turns.map((turn) => turn.result));
    expect(outcomes).toMatchObject([{ text: 'heard 0' }, { text: 'heard 1' }, { text: 'heard 2' }]);
    await Promise.all(sessions.map((session) => session.close()));
  });
});

withCli('#41 A session', () => {
  it('matches a hundred requests with their responses while twenty tools are called', async () => {
    const words = Array.from({ length: 20 }, (_, index) => `word${index}`);
    await using place = await stage(callAll(...words.map((word) => toolUse('mcp__own__echo', { words: word }))));
    await using session = await openSession({
      ...place.options,
      tools: [{ own: createSdkMcpServer({ name: 'own', tools: [echo] }) }],
      permissions: { allow: ['mcp__own'] },
    });
    const turn = session.send('go');
    const asked = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        index % 2 === 0
          ? session.request('read_file', { path: join(place.home.cwd, `nothing-${index}`) }).catch(String)
          : session.request('get_binary_version'),
      ),
    );
    for (const [index, answer] of asked.entries())
      expect(JSON.stringify(answer)).toMatch(index % 2 === 0 ? /read_file/ : /version/);
    const expected = words
      .map((word) => `echo ${word}`)
      .toSorted()
      .join('; ');
    expect(await turn.result).toMatchObject({ kind: 'completed', text: expected });
  });
});
