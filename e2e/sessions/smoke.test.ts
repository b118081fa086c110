import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '@hexagent/sdk';
import { InMemorySessionStore } from '@hexagent/sdk/claude-agent-sdk';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { converse, keyOf, leftBehind, model, place, placeForEach, textsOf } from './conversing.ts';
import { areLeftOutUnlessNamed } from './left-out.ts';

withCli('A resumed session', () => {
  it('#27 continues the earlier one, or a copy of it with `fork`', async () => {
    await using place = await stage((request) => `${request.body.messages.length} messages so far`);
    const first = await ask('one', place.options).result;
    if (first.kind !== 'completed') throw new Error(first.kind);
    const id = first.result.session_id;
    const resumed = await ask('two', { ...place.options, resume: id }).result;
    expect(resumed).toMatchObject({ kind: 'completed', result: { session_id: id } });
    const forked = await ask('three', { ...place.options, resume: id, fork: true }).result;
    if (forked.kind !== 'completed') throw new Error(forked.kind);
    expect(forked.result.session_id).not.toBe(id);
    expect(
      place.loopback.requests.map(({ body }) => body.messages.filter(({ role }) => role === 'assistant').length),
    ).toEqual([0, 1, 2]);
  });
});

withCli('Sessions that are left out of a list for a person', () => {
  it('#52 are those of openSession() and ask(), unless the program names itself otherwise', () =>
    areLeftOutUnlessNamed(
      (place, set) => ask('hi', { ...place.options, env: { policy: 'exact', set: { ...place.env, ...set } } }).result,
    ));
});

withCli('A session with a store', () => {
  placeForEach();

  it('#12 continues where its folder is empty, also as a copy or as the newest, and leaves nothing there', async () => {
    const sessionStore = new InMemorySessionStore();
    const { id } = await converse('use a tool', { sessionStore });
    await using elsewhere = await stage(model);
    const there = { at: { ...elsewhere, loopback: place.loopback, env: { ...place.env, HOME: elsewhere.home.home } } };
    const resumed = await converse('and now', { sessionStore, resume: id }, there);
    expect(resumed.id).toBe(id);
    const [request] = place.loopback.requests.slice(-1);
    expect(request && textsOf(request)).toContain('from-the-tool');
    expect(JSON.stringify(sessionStore.getEntries(keyOf(id)))).toContain('and now');
    const copied = await converse('a copy', { sessionStore, resume: id, forkSession: true }, there);
    expect(copied.id).not.toBe(id);
    expect(JSON.stringify(sessionStore.getEntries(keyOf(copied.id)))).toContain('from-the-tool');
    expect((await converse('the newest', { sessionStore, continue: true }, there)).id).toBe(copied.id);
    expect(existsSync(join(elsewhere.home.home, '.claude/projects'))).toBe(false);
    expect(leftBehind()).toEqual([]);
  });
});
