// Fails when a commit has a title that is too long or names no room: `room: what changes`, at most 72 characters.
// Earlier commits than the one that brought this rule are left as they are.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from './workspace.mjs';

const cwd = path.resolve(process.argv[2] ?? root);
const longest = 72;

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.trim().split('\n').filter(Boolean);
}

function wrongWith(title) {
  if (title.length > longest) return `has ${title.length} characters, ${longest} at most`;
  return /^[a-z][\w-]*(?:[/,] ?[\w-]+)*: \S/.test(title) ? undefined : 'does not begin with a room, such as "parser: "';
}

const [rule] = git('log', '--diff-filter=A', '--format=%H', '--', '.gitmessage');
const commits = rule === undefined ? [] : git('log', '--no-merges', '--format=%h %s', `${rule}..HEAD`);
const complaints = commits.flatMap((line) => {
  const [hash, ...words] = line.split(' ');
  const wrong = wrongWith(words.join(' '));
  return wrong === undefined ? [] : [`${hash} ${JSON.stringify(words.join(' '))} ${wrong}.`];
});
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exitCode = 1;
else console.log(`${commits.length} titles of commits are in order.`);
