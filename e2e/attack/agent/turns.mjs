// What the scripted agent does in a turn, step by step.
import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { init, lifecycle, message, request, result, state } from './frames.mjs';
import { closeStdout, note, plan, write, writeLine } from './log.mjs';

const forms = {
  plain: {},
  crlf: { after: '\r' },
  mark: { before: '\uFEFF' },
  spaces: { before: ' \t', after: '  ' },
};
/** How long it waits for an answer of the program's. */
const answerMs = 8000;

export const tools = new Set();
/** What waits for an answer, by the id of the request. */
export const waiting = new Map();
let asked = 0;
let calls = 0;
/** The ids of the hooks that `initialize` named. */
export const hooks = { ids: [] };
/** The turn that runs, and how to stop it. */
export const running = { uuid: undefined, isInterrupted: false, interrupt: () => {} };

export const send = (frame, form) => writeLine(frame, frame.n === undefined ? undefined : { n: frame.n }, form);
const sendState = (value) => plan.states && send(state(value));
const sendLifecycle = (uuid, value) => plan.lifecycle && uuid !== undefined && send(lifecycle(uuid, value));

export const queued = (uuid) => sendLifecycle(uuid, 'queued');
export const withdrawn = (uuid) => sendLifecycle(uuid, 'cancelled');

export async function runTurn({ steps, result: how }, uuid) {
  const interrupted = new Promise((resolve) => (running.interrupt = resolve)).then(
    () => (running.isInterrupted = true),
  );
  running.uuid = uuid;
  running.isInterrupted = false;
  void sendState('running');
  void sendLifecycle(uuid, 'started');
  void send(init(uuid));
  for (const step of steps) {
    if (running.isInterrupted) break;
    await Promise.race([perform(step), interrupted]);
  }
  const { isInterrupted } = running;
  running.uuid = undefined;
  note({ on: 'ending turn', uuid, how: isInterrupted ? 'interrupted' : how });
  if (isInterrupted || how !== 'none') void send(result(isInterrupted ? 'success' : how, uuid, isInterrupted));
  if (how === 'twice') void send(result(how, uuid, isInterrupted));
  void sendLifecycle(uuid, 'completed');
  await sendState('idle');
}

function perform(step) {
  switch (step.do) {
    case 'message':
      return send(message(step.kind, step.letters), forms[step.form]);
    case 'bad line':
      return badLine(Buffer.from(step.bytes, 'base64'));
    case 'ask':
      return ask(step);
    case 'tool':
      return startTool();
    case 'die':
      return die(step);
    case 'stop':
      return stop(step);
    case 'close':
      return closePipe(step);
    case 'stderr':
      return new Promise((resolve) => process.stderr.write(`${'e'.repeat(step.letters)}\n`, resolve));
    case 'long line':
      return write(Buffer.from(`${'x'.repeat(step.letters)}${step.ends ? '\n' : ''}`), {
        how: step.ends ? 'ended' : 'unended',
      });
    case 'flood':
      return flood(step);
    default:
      return delay(step.ms);
  }
}

function badLine(bytes) {
  // A request without an id is answered without one.
  if (bytes.includes('"control_request"')) note({ on: 'asking', id: 'undefined' });
  return write(Buffer.concat([bytes, Buffer.from('\n')]));
}

async function flood({ messages }) {
  for (let count = 0; count < messages; count += 1) await send(message('delta', 20));
}

async function ask({ what, id: whose, waits, cancels }) {
  if (whose !== 'again' || asked === 0) asked += 1;
  calls += 1;
  const key = `t${calls}`;
  const id = whose === 'number' ? asked : `a${asked}`;
  const answered = new Promise((resolve) => waiting.set(String(id), resolve));
  note({ on: 'asking', id: String(id), what, key, cancels });
  await writeLine({ type: 'control_request', request_id: id, request: request(what, key, hooks.ids[0]) });
  if (cancels) await writeLine({ type: 'control_cancel_request', request_id: id });
  if (!waits || cancels || whose === 'again') return;
  const isAnswered = await Promise.race([answered.then(() => true), delay(answerMs, false, { ref: false })]);
  if (!isAnswered) note({ on: 'unanswered', id: String(id), what });
}

async function startTool() {
  // As the CLI does, it tells its number to its tools.
  const env = { ...process.env, CLAUDE_PID: String(process.pid) };
  const tool = spawn('sleep', ['300'], { detached: true, stdio: 'ignore', env });
  tools.add(tool);
  tool.unref();
}

export function endTools() {
  for (const tool of tools) tool.kill('SIGKILL');
}

async function die({ code, signal, inLine }) {
  await write(Buffer.alloc(0));
  if (inLine) await write(Buffer.from('{"type":"assistant","message":{"con'));
  note({ on: 'dying', code, signal });
  // An agent that leaves with such a code has left in order, as far as anyone can tell.
  if (plan.isTidy && (code === 0 || code === 1)) endTools();
  if (signal === undefined) process.exit(code);
  process.kill(process.pid, signal);
  await delay(60_000);
}

/** Stands still, as a machine that sleeps, and is woken from outside. */
async function stop({ ms }) {
  const script = `sleep ${ms / 1000}; kill -CONT ${process.pid}`;
  spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'ignore', env: { PATH: process.env.PATH } }).unref();
  process.kill(process.pid, 'SIGSTOP');
  await delay(1);
}

async function closePipe({ pipe }) {
  await write(Buffer.alloc(0));
  note({ on: 'closing', pipe });
  if (pipe === 'stdin') process.stdin.destroy();
  else closeStdout();
}
