import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../workspace.mjs';
import { Folder } from './planted.ts';

const good = ['parser: keep a line', 'http-chat, chat: rename chats', `ports: ${'x'.repeat(65)}`];
const bad = [
  ['Rename chats', 'does not begin with a room'],
  ['chat:rename', 'does not begin with a room'],
  ['Chat: rename', 'does not begin with a room'],
  [`ports: ${'x'.repeat(66)}`, 'has 73 characters'],
] as const;

it('A title of a commit after the rule names a room and is short, or the gate says what is wrong', () => {
  using folder = new Folder();
  const judge = () => folder.run(process.execPath, path.join(root, 'scripts/commit-titles.mjs'), folder.dir);
  folder.run('git', 'init', '-q', '-b', 'main');
  folder.commit('A title of before the rule, which is as long as its author wished and names no room at all');
  folder.write('.gitmessage', '# room: what changes\n');
  folder.commit('The rule itself');
  for (const title of good) folder.commit(title);
  expect(judge()).toEqual({ status: 0, output: '3 titles of commits are in order.\n' });
  for (const [title] of bad) folder.commit(title);
  const { status, output } = judge();
  expect(status).toBe(1);
  const complaints = output.trim().split('\n').toReversed();
  expect(complaints).toEqual(bad.map(([title, reason]) => expect.stringContaining(`"${title}" ${reason}`)));
});
