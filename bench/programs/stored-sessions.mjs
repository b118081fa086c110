// What it takes to list and to read stored sessions. `limit` reads the same bytes with `fs` alone, and for messages
// makes objects of the lines.
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';
import { median } from '../lib/median.mjs';

const { BENCH_SUBJECT, BENCH_MODULE, BENCH_STORED, BENCH_TASK } = process.env;
const big = readFileSync(path.join(BENCH_STORED, 'big'), 'utf8');
process.env.CLAUDE_CONFIG_DIR = BENCH_STORED;

const windowBytes = 64 * 1024;

function transcripts(folder) {
  const projects = path.join(BENCH_STORED, 'projects');
  const folders = folder === undefined ? readdirSync(projects) : [folder];
  return folders.flatMap((name) =>
    readdirSync(path.join(projects, name)).map((file) => path.join(projects, name, file)),
  );
}

const bytes = Buffer.alloc(windowBytes);

function edges(file) {
  const open = openSync(file, 'r');
  const { size } = fstatSync(open);
  readSync(open, bytes, 0, windowBytes, 0);
  readSync(open, bytes, 0, windowBytes, Math.max(0, size - windowBytes));
  closeSync(open);
}

const messagesIn = (file) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const limit = {
  list: () => transcripts().forEach(edges),
  'list-dir': () => transcripts('-project-1').forEach(edges),
  'list-50': () => transcripts().slice(0, 50).forEach(edges),
  messages: () => messagesIn(path.join(BENCH_STORED, 'projects', '-project-0', `${big}.jsonl`)).length,
  'messages-50': () => messagesIn(path.join(BENCH_STORED, 'projects', '-project-0', `${big}.jsonl`)).slice(0, 50),
};

async function tasksOf(module) {
  const { listSessions, getSessionMessages } = await import(module);
  return {
    list: () => listSessions(),
    'list-dir': () => listSessions({ dir: '/project/1' }),
    'list-50': () => listSessions({ limit: 50 }),
    messages: () => getSessionMessages(big),
    'messages-50': () => getSessionMessages(big, { limit: 50 }),
  };
}

const task = (BENCH_SUBJECT === 'limit' ? limit : await tasksOf(BENCH_MODULE))[BENCH_TASK];
const before = process.memoryUsage.rss();
const times = [];
let rss;
for (let round = 0; round < 3; round += 1) {
  const began = performance.now();
  await task();
  times.push(performance.now() - began);
  // Of the first: later ones add what the garbage collector has not looked at yet.
  rss ??= (process.memoryUsage.rss() - before) / (1024 * 1024);
}
process.stdout.write(`${JSON.stringify({ ms: median(times), rss })}\n`);
