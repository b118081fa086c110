// A CLI whose model writes a thousand times a second and does not stop by itself. Like the real one, it ends its turn on
// `interrupt`, exits on SIGTERM at once, and continues its turn when only its input ends. A stubborn one ignores
// all three.
import { writeFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { delta, initMessage, resultMessage } from '../lib/wire.mjs';

const isStubborn = process.env.BENCH_STUBBORN !== undefined;
if (isStubborn) process.on('SIGTERM', () => {});
writeFileSync(process.env.BENCH_PID_FILE, String(process.pid));
const say = (frame) => writeSync(1, `${JSON.stringify(frame)}\n`);
let speaking;
let inputEnded = false;

function speak() {
  say(initMessage);
  let said = 0;
  const began = performance.now();
  speaking = setInterval(() => {
    // Timers fire late: everything that is due is written, so that the rate is kept.
    for (; said < performance.now() - began; said += 1) say(delta(said));
  }, 1);
}

function stop() {
  clearInterval(speaking);
  say({ ...resultMessage, subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_streaming' });
  speaking = undefined;
  if (inputEnded) process.exit(0);
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { type, request_id, request } = JSON.parse(line);
    if (type === 'user') speak();
    if (type !== 'control_request') return;
    say({ type: 'control_response', response: { subtype: 'success', request_id, response: {} } });
    if (request.subtype === 'interrupt' && speaking && !isStubborn) stop();
  })
  .on('close', () => {
    inputEnded = true;
    if (!speaking) process.exit(0);
  });
