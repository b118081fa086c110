// The first conversation of a process that has loaded nothing: the import, and from `query()` to the first message.
import { performance } from 'node:perf_hooks';

const began = performance.now();
const { converse } = await import('./subject.mjs');
const loaded = performance.now();
let first;
await converse({ on: () => void (first ??= performance.now()) });
process.stdout.write(`${JSON.stringify({ both: first - began, first: first - loaded })}\n`);
