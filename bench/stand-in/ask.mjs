// A CLI that only sends requests: permissions, hooks or tool calls, as fast as they are answered, BENCH_IN_FLIGHT at a time.
// Reads and writes without Node's event loop, so that nearly all that is measured happens on the other side.
import { readSync, writeSync } from 'node:fs';
import { initMessage, resultMessage } from '../lib/wire.mjs';

const { BENCH_ASKS: subtype, BENCH_CALLS, BENCH_IN_FLIGHT, BENCH_WARM_UP } = process.env;
const [calls, inFlight] = [Number(BENCH_CALLS), Number(BENCH_IN_FLIGHT)];
const warmUp = BENCH_WARM_UP === undefined ? Math.ceil(calls / 5) : Number(BENCH_WARM_UP);

const chunk = Buffer.alloc(1024 * 1024);
let rest = '';

/** The available lines, at least one; `undefined` at the end of the input. */
function lines() {
  for (;;) {
    const length = readSync(0, chunk);
    if (length === 0) return undefined;
    const found = (rest + chunk.toString('utf8', 0, length)).split('\n');
    rest = found.pop();
    if (found.length > 0) return found;
  }
}

let unread = [];
function nextFrame(wanted) {
  for (;;) {
    unread = unread.length > 0 ? unread : (lines() ?? process.exit(0));
    const frame = JSON.parse(unread.shift());
    if (wanted(frame)) return frame;
  }
}

function write(text) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at);
}
const send = (frame) => write(`${JSON.stringify(frame)}\n`);
const isAnswer = ({ type }) => type === 'control_response';

const { request_id, request } = nextFrame(({ type }) => type === 'control_request');
send({
  type: 'control_response',
  response: {
    subtype: 'success',
    request_id,
    response: { commands: [], agents: [], models: [], hook_on_failure_supported: true },
  },
});
nextFrame(({ type }) => type === 'user');
send(initMessage);

const mcp = (message) => ({ subtype: 'mcp_message', server_name: 'bench', message: { jsonrpc: '2.0', ...message } });
function dial() {
  const clientInfo = { name: 'bench', version: '1' };
  ask(
    'dial',
    mcp({ id: 'dial', method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } }),
  );
  nextFrame(isAnswer);
  ask('dialled', mcp({ method: 'notifications/initialized' }));
  nextFrame(isAnswer);
}
const ask = (id, asked) => send({ type: 'control_request', request_id: id, request: asked });

const hookId = Object.values(request.hooks ?? {})[0]?.[0].hookCallbackIds[0];
const forms = {
  can_use_tool: (id) => ({
    subtype: 'can_use_tool',
    tool_name: 'Bash',
    display_name: 'Bash',
    input: { command: `touch file-${id}.txt && echo done`, description: 'Make a file' },
    description: 'Make a file',
    permission_suggestions: [
      { type: 'addRules', rules: [{ toolName: 'Bash' }], behavior: 'allow', destination: 'session' },
    ],
    tool_use_id: `toolu_${id}`,
  }),
  hook_callback: (id) => ({
    subtype: 'hook_callback',
    callback_id: hookId,
    input: {
      hook_event_name: 'PreToolUse',
      session_id: 'bench',
      transcript_path: '/tmp/bench.jsonl',
      cwd: '/tmp',
      tool_name: 'Bash',
      tool_input: { command: `touch file-${id}.txt` },
      tool_use_id: `toolu_${id}`,
    },
    tool_use_id: `toolu_${id}`,
  }),
  mcp_message: (id) => mcp({ id, method: 'tools/call', params: { name: 'add', arguments: { a: id, b: 1 } } }),
};

// Made once, since the work of the CLI is not measured: only the number changes.
const pieces = `${JSON.stringify({ type: 'control_request', request_id: 'call-@', request: forms[subtype]('@') })}\n`
  .replaceAll('"@"', '@')
  .split('@');
const requestLine = (id) => pieces.join(id);

/** Each answer is one line, and no other lines arrive meanwhile. */
function answersInNextRead() {
  const length = readSync(0, chunk);
  if (length === 0) process.exit(0);
  const read = chunk.subarray(0, length);
  let count = 0;
  for (let at = read.indexOf(10); at !== -1; at = read.indexOf(10, at + 1)) count += 1;
  return count;
}

/** How long each call took, when there is only one at a time. */
const latencies = new Float64Array(calls);

function oneAtATime(count) {
  for (let id = 0; id < count; id += 1) {
    const began = performance.now();
    write(requestLine(id));
    while (answersInNextRead() === 0);
    latencies[id] = performance.now() - began;
  }
}

function manyAtATime(count) {
  let asked = 0;
  const askMore = (more) => {
    const until = Math.min(asked + more, count);
    let text = '';
    for (; asked < until; asked += 1) text += requestLine(asked);
    if (text !== '') write(text);
  };
  askMore(inFlight);
  for (let answered = 0; answered < count;) {
    const arrived = answersInNextRead();
    answered += arrived;
    askMore(arrived);
  }
}

const run = inFlight === 1 ? oneAtATime : manyAtATime;
if (subtype === 'mcp_message') dial();
run(warmUp);
send({ type: 'system', subtype: 'bench_begin' });
const began = performance.now();
run(calls);
const seconds = (performance.now() - began) / 1000;
latencies.sort();
const at = (share) => latencies[Math.floor(calls * share)] * 1000;
send({ type: 'system', subtype: 'bench_end', calls, perSecond: calls / seconds, p50: at(0.5), p99: at(0.99) });
send(resultMessage);
while (lines());
