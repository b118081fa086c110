// Loads the subject once, in a process that has loaded nothing else.
const before = process.memoryUsage.rss();
const began = performance.now();
await import(process.env.BENCH_MODULE);
const ms = performance.now() - began;
const rss = (process.memoryUsage.rss() - before) / (1024 * 1024);
process.stdout.write(`${JSON.stringify({ ms, rss })}\n`);
