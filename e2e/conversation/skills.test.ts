import { existsSync } from 'node:fs';
import { openSession, tool, toolResult, type Plugin } from '@hexagent/sdk';
import { lastUserText, systemText, toolResults, toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';

const skills = [{ name: 'greet', description: 'How to greet: a "person"', content: 'Say Moin to $ARGUMENTS.' }];
const commands = [{ name: 'shout', content: '---\nShout $ARGUMENTS loudly.' }];

withCli('Skills and commands in code', () => {
  it('are offered to the model, arrive when they are called, and leave nothing behind', async () => {
    await using place = await stage((request) =>
      lastUserText(request) === 'Greet Ann' ? toolUse('Skill', { skill: 'hexagent:greet', args: 'Ann' }) : 'Done.',
    );
    const session = await openSession({ ...place.options, skills, commands, permissions: { deny: ['Bash'] } });
    const { commands: listed } = await session.ready;
    expect(listed?.map(({ name }) => name)).toEqual(expect.arrayContaining(['hexagent:greet', 'hexagent:shout']));
    expect(await session.send('Greet Ann').text()).toBe('Done.');
    for (const message of ['/shout hello', '/greet Bo']) expect(await session.send(message).text()).toBe('Done.');
    const [, folder = ''] =
      /Base directory for this skill: ([^\\"]+)/.exec(JSON.stringify(place.loopback.requests[1])) ?? [];
    expect(existsSync(folder)).toBe(true);
    await session.finish();
    expect(existsSync(folder)).toBe(false);
    const [first, second, third, fourth] = place.loopback.requests.map(({ body }) => JSON.stringify(body));
    expect(first).toContain('hexagent:greet: How to greet: a \\"person\\"');
    expect(first).not.toContain('hexagent:shout');
    expect(second).toContain('Say Moin to Ann.');
    expect(third).toContain('Shout hello loudly.');
    expect(fourth).toContain('Say Moin to Bo.');
    expect(fourth).not.toContain('no command with that name');
  });

  it('are grouped by plugins, which have subagents too', async () => {
    const lookUp = tool('look-up', 'Looks up', {}, () => toolResult.text('found'));
    const clerk = { description: 'Looks up', prompt: 'You are the clerk.', tools: [lookUp] };
    const plugin: Plugin = { name: 'office', skills, commands, agents: { clerk } };
    const delegate = { description: 'd', prompt: 'Go.', subagent_type: 'office:clerk', run_in_background: false };
    await using place = await stage((request) => {
      if (toolResults(request).length > 0) return `It was ${toolResults(request)[0]?.text}`;
      if (systemText(request).includes('You are the clerk.')) return toolUse('mcp__office_clerk__look-up', {});
      return lastUserText(request).includes('Shout') ? 'Done.' : toolUse('Agent', delegate);
    });
    const options = { ...place.options, plugins: [plugin, { name: 'other', skills }] };
    await using session = await openSession({ ...options, permissions: { allowOwnTools: true } });
    const { commands: listed } = await session.ready;
    const names = ['office:greet', 'office:shout', 'other:greet'];
    expect(listed?.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    expect(await session.send('/office:shout hello').text()).toBe('Done.');
    expect(JSON.stringify(place.loopback.requests[0]?.body)).toContain('Shout hello loudly.');
    expect(await session.send('Look it up').text()).toContain('It was found');
  });

  it('are called by a message where the model has no tool', async () => {
    await using place = await stage(() => 'Done.');
    await using session = await openSession({ ...place.options, commands, tools: ['none'] });
    expect(await session.send('/shout hello').text()).toBe('Done.');
    expect(JSON.stringify(place.loopback.requests[0]?.body)).toContain('Shout hello loudly.');
  });
});
