// A CLI whose model writes a thousand times a second and does not stop by itself. Like the real one, it ends its turn on
// `interrupt`, exits on SIGTERM at once, and continues its turn when only its input ends. A stubborn one ignores
// all three.
import { writeFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { delta, initMessage, resultMessage } from '../lib/wire.mjs';

const isStubborn = process.env.BENCH_STUBBORN !== undefined;
if (isStubborn) process.on('SIGTERM', () => {});
writeFileSync(process.env.BENCH_PID_FILE, String(process.pid));
const send = (frame) => writeSync(1, `${JSON.stringify(frame)}\n`);
let writing;
let inputEnded = false;

function startWriting() {
  send(initMessage);
  let sent = 0;
  const began = performance.now();
  writing = setInterval(() => {
    // Timers fire late: everything that is due is written, so that the rate is kept.
    for (; sent < performance.now() - began; sent += 1) send(delta(sent));
  }, 1);
}

function stop() {
  clearInterval(writing);
  send({ ...resultMessage, subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_streaming' });
  writing = undefined;
  if (inputEnded) process.exit(0);
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { type, request_id, request } = JSON.parse(line);
    if (type === 'user') startWriting();
    if (type !== 'control_request') return;
    send({ type: 'control_response', response: { subtype: 'success', request_id, response: {} } });
    if (request.subtype === 'interrupt' && writing && !isStubborn) stop();
  })
  .on('close', () => {
    inputEnded = true;
    if (!writing) process.exit(0);
  });
