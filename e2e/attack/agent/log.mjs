// What the scripted agent did, one JSON line each, written before and after: it is known also after a kill.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

const { ATTACK_PLAN = '', ATTACK_LOG = '' } = process.env;

/** The plan of the agent: see `../agent-plan.ts`. */
export const plan = JSON.parse(readFileSync(ATTACK_PLAN, 'utf8'));

const log = openSync(ATTACK_LOG, 'a');
export const note = (event) => writeSync(log, `${JSON.stringify(event)}\n`);

const newline = 0x0a;
let isOpen = true;

export function closeStdout() {
  if (isOpen) closeSync(1);
  isOpen = false;
}

function writeBytes(bytes) {
  for (let left = bytes; isOpen && left.length > 0;) {
    try {
      left = left.subarray(writeSync(1, left));
    } catch (error) {
      if (error.code === 'EAGAIN') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      else isOpen = false; // the reader has gone
    }
  }
}

const pass = () => new Promise((resolve) => setImmediate(resolve));
let last = Promise.resolve();

/** Writes bytes after those before them, in pieces as the plan says. Resolves when they are out. */
export function write(bytes, event) {
  last = last.then(async () => {
    if (!isOpen) return;
    if (event) note({ ...event, on: 'writing' });
    const size = plan.chunkBytes === 0 ? bytes.length : Math.max(plan.chunkBytes, Math.ceil(bytes.length / 200));
    for (let at = 0; at < bytes.length; at += size) {
      if (at > 0) await pass();
      writeBytes(bytes.subarray(at, at + size));
    }
    if (event && isOpen)
      note({ ...event, on: 'wrote', bytes: bytes.at(-1) === newline ? bytes.length - 1 : bytes.length });
  });
  return last;
}

export const writeLine = (frame, event, { before = '', after = '' } = {}) =>
  write(Buffer.from(`${before}${JSON.stringify(frame)}${after}\n`), event);
