// node agent.mjs --session-id=ID | --resume=ID: plays the CLI in a chat, as a process that may be killed at any step. Stores what
// is said where the CLI does, and notes in the file CHATS_LOG what it was answered and what it ran.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const { CHATS_LOG = '', CHATS_SEED = '0', CLAUDE_CONFIG_DIR = '', CLAUDE_CODE_RESUME_INTERRUPTED_TURN } = process.env;
const after = (flag) => process.argv.find((arg) => arg.startsWith(flag))?.slice(flag.length);
const [resumed, made] = [after('--resume='), after('--session-id=')];
const id = resumed ?? made ?? '';
const folder = path.join(CLAUDE_CONFIG_DIR, 'projects', process.cwd().replace(/[^a-zA-Z0-9]/g, '-'));
const transcript = path.join(folder, `${id}.jsonl`);
const note = (event) => appendFileSync(CHATS_LOG, `${JSON.stringify({ pid: process.pid, session: id, ...event })}\n`);

if (resumed !== undefined && !existsSync(transcript)) leave(`No conversation found with session ID: ${id}`);
if (made !== undefined && existsSync(transcript)) leave(`Session ID ${id} is already in use.`);

function leave(why) {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}

/** Differs with each start: a session that dies at its third step does so once. */
let state = Number(CHATS_SEED) + process.pid;
for (const letter of id) state = (Math.imul(state, 31) + letter.charCodeAt(0)) | 0;
function below(limit) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
  return ((state >>> 8) & 0xffff) % limit;
}

mkdirSync(folder, { recursive: true });
const lock = path.join(folder, `${id}.pid`);
const other = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0;
if (other > 0 && isAgentOf(other)) note({ on: 'twin', other });
writeFileSync(lock, String(process.pid));

function isAgentOf(pid) {
  try {
    const [, status] = /^State:\s+(\S)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return status !== 'Z' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(id);
  } catch {
    return false; // it has gone
  }
}

/** What is stored: turns, each with the messages that joined it. The last one may be cut off. */
const known = new Set();
let last;
let cut;
for (const line of existsSync(transcript) ? readFileSync(transcript, 'utf8').split('\n').slice(0, -1) : []) {
  const entry = JSON.parse(line);
  last = entry.uuid;
  if (entry.type === 'assistant') cut = undefined;
  else if (entry.type === 'user')
    cut = { uuid: entry.uuid, names: [textOf(entry.message.content)], uuids: [entry.uuid] };
  else cut?.names.push(textOf(entry.attachment.prompt));
  if (entry.type === 'attachment') cut?.uuids.push(entry.attachment.source_uuid);
  known.add(entry.attachment?.source_uuid ?? entry.uuid);
}

function store(entry) {
  const common = { parentUuid: last ?? null, isSidechain: false, sessionId: id, cwd: process.cwd() };
  last = entry.uuid;
  appendFileSync(transcript, `${JSON.stringify({ ...common, timestamp: new Date().toISOString(), ...entry })}\n`);
}

process.stdout.on('error', () => {}); // the reader has gone
const write = (...frames) =>
  process.stdout.write(
    frames.map((frame) => `${JSON.stringify({ uuid: 'frame', ...frame, session_id: id })}\n`).join(''),
  );
const lifecycle = (command_uuid, value) => ({ type: 'command_lifecycle', command_uuid, state: value });
const isNow = (value) => ({ type: 'system', subtype: 'session_state_changed', state: value, sdk_host_only: true });
const init = (...user_message_uuids) => ({ type: 'system', subtype: 'init', user_message_uuids });
const usage = { input_tokens: 1, output_tokens: 1 };

const queue = [];
const asked = new Map();
let turn;
let isInterrupted = false;
let hasEnded = false;

/** A moment passes, in which it may die. */
async function step() {
  await delay(below(12));
  if (below(100) < 2) process.kill(process.pid, 'SIGKILL');
  return !isInterrupted;
}

function textOf(content) {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('');
}

createInterface({ input: process.stdin })
  .on('line', (line) => read(JSON.parse(line)))
  .on('close', () => {
    hasEnded = true;
    // As the CLI does: what waits for a person is refused, and the turn continues.
    for (const resolve of asked.values()) resolve({ behavior: 'deny', message: 'The stream was closed.' });
    leaveIfDone();
  });
// The conversation continues by itself where it was cut off.
if (CLAUDE_CODE_RESUME_INTERRUPTED_TURN === '1' && cut !== undefined) void goOn();

function read({ type, uuid, message, priority, request_id, request, response }) {
  if (type === 'control_request') {
    const answer = { subtype: 'success', request_id, response: { hook_on_failure_supported: true } };
    write({ type: 'control_response', response: answer });
    if (request.subtype === 'interrupt') interrupt();
  } else if (type === 'control_response') {
    asked.get(response.request_id)?.(response.response);
    asked.delete(response.request_id);
  } else if (type === 'user') {
    write(lifecycle(uuid, 'queued'));
    if (turn?.isOpen && priority !== undefined && !known.has(uuid) && below(2) === 0) join({ uuid, message });
    else queue.push({ uuid, message });
    void work();
  }
}

/** Folded into the turn that runs: stored as an attachment, and answered with it. */
function join({ uuid, message }) {
  known.add(uuid);
  const attachment = { type: 'queued_command', prompt: message.content, source_uuid: uuid };
  store({ type: 'attachment', uuid: crypto.randomUUID(), attachment });
  turn.uuids.push(uuid);
  turn.names.push(textOf(message.content));
  write(lifecycle(uuid, 'started'));
}

function interrupt() {
  if (turn === undefined) return;
  isInterrupted = true;
  for (const [request_id, resolve] of asked) {
    write({ type: 'control_cancel_request', request_id });
    resolve(undefined);
  }
  asked.clear();
}

async function goOn() {
  turn = { ...cut, isOpen: true };
  write(isNow('running'), init());
  await answer();
  write(resultOf());
  rest();
}

async function work() {
  if (turn !== undefined) return;
  const next = queue.shift();
  if (next === undefined) return leaveIfDone();
  const { uuid, message } = next;
  turn = { uuids: [uuid], names: [textOf(message.content)], isOpen: false };
  await step();
  if (known.has(uuid)) {
    write(lifecycle(uuid, 'completed'));
    return rest();
  }
  write(isNow('running'), lifecycle(uuid, 'started'), init(uuid));
  known.add(uuid);
  store({ type: 'user', uuid, message: { role: 'user', content: message.content } });
  turn.isOpen = true;
  await answer();
  write(resultOf(), ...turn.uuids.map((each) => lifecycle(each, 'completed')));
  rest();
}

async function answer() {
  await step();
  const isWhole = await perform();
  turn.isOpen = false;
  const text = answersOf();
  if (!isWhole) note({ on: 'interrupted' });
  store({
    type: 'assistant',
    uuid: crypto.randomUUID(),
    message: { id: crypto.randomUUID(), role: 'assistant', content: [{ type: 'text', text }] },
  });
  await step();
}

const answersOf = () => turn.names.map((name) => `[answer to ${name}]`).join(' ');

async function perform() {
  if (below(2) === 0) {
    if (!(await speak(['Let me see. ']))) return false;
    if (below(10) < 7 && !(await useTool())) return false;
  }
  const pieces = Array.from({ length: below(7) }, () => 'a piece, ');
  return (await speak(pieces)) && (await speak([answersOf()]));
}

async function speak(pieces) {
  if (pieces.length === 0) return true;
  const message = { id: crypto.randomUUID(), role: 'assistant', model: 'test', stop_reason: null, usage };
  const event = (fields) =>
    write({ type: 'stream_event', event: fields, api_message_id: message.id, parent_tool_use_id: null });
  event({ type: 'message_start', message: { ...message, content: [] } });
  event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
  for (const text of pieces) {
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
    if (!(await step())) return false;
  }
  const content = [{ type: 'text', text: pieces.join('') }];
  write({ type: 'assistant', message: { ...message, content }, parent_tool_use_id: null });
  event({ type: 'content_block_stop', index: 0 });
  event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage });
  event({ type: 'message_stop' });
  return await step();
}

async function useTool() {
  const toolUse = `use-${crypto.randomUUID()}`;
  const request_id = crypto.randomUUID();
  // The same call each time, so that an answer of before a death would fit.
  const input = { command: `echo ${turn.names[0]}` };
  const content = [{ type: 'tool_use', id: toolUse, name: 'Bash', input }];
  const message = { id: crypto.randomUUID(), role: 'assistant', model: 'test', content, stop_reason: null, usage };
  write({ type: 'assistant', message, parent_tool_use_id: null }, isNow('requires_action'));
  const answered = new Promise((resolve) => asked.set(request_id, resolve));
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: toolUse, input };
  write({ type: 'control_request', request_id, request });
  const given = hasEnded ? { behavior: 'deny' } : await answered;
  if (given === undefined) return false;
  if (!hasEnded) note({ on: 'answered', toolUse, behavior: given.behavior });
  if (given.behavior === 'allow') note({ on: 'ran', toolUse });
  const result = { type: 'tool_result', tool_use_id: toolUse, content: 'done', is_error: given.behavior !== 'allow' };
  write(isNow('running'), { type: 'user', parent_tool_use_id: null, message: { role: 'user', content: [result] } });
  return await step();
}

function resultOf() {
  const common = { type: 'result', duration_ms: 1, duration_api_ms: 1, num_turns: 1, total_cost_usd: 0, usage };
  const fields = { ...common, modelUsage: {}, permission_denials: [], user_message_uuids: turn.uuids };
  if (!isInterrupted)
    return {
      ...fields,
      subtype: 'success',
      is_error: false,
      stop_reason: 'end_turn',
      terminal_reason: 'completed',
      result: 'ok',
    };
  const terminal_reason = 'aborted_streaming';
  return {
    ...fields,
    subtype: 'error_during_execution',
    is_error: true,
    errors: [],
    stop_reason: null,
    terminal_reason,
  };
}

function rest() {
  write(isNow('idle'));
  turn = undefined;
  isInterrupted = false;
  void work();
}

function leaveIfDone() {
  if (hasEnded && turn === undefined && queue.length === 0) process.exit(0);
}
