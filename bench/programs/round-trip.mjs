// The CLI asks, the program's callback answers at once.
import { converse, cpuMs, createSdkMcpServer, isBare, report, tool } from './subject.mjs';

const asks = process.env.BENCH_ASKS;
let metrics;
let begin;
await converse({
  env: {
    BENCH_ASKS: asks,
    BENCH_CALLS: process.env.BENCH_CALLS,
    BENCH_IN_FLIGHT: process.env.BENCH_IN_FLIGHT,
    ...(process.env.BENCH_WARM_UP === undefined ? {} : { BENCH_WARM_UP: process.env.BENCH_WARM_UP }),
  },
  options: isBare ? {} : await callbacks(),
  on({ subtype, calls, perSecond, p50, p99 }) {
    if (subtype === 'bench_begin') begin = cpuMs();
    if (subtype === 'bench_end') metrics = { p50, p99, perSecond, cpu: ((cpuMs() - begin) * 1000) / calls };
  },
});
if (metrics === undefined) throw new Error('The CLI reported nothing.');
report(metrics);

async function callbacks() {
  if (asks === 'can_use_tool')
    return { canUseTool: async (_name, input) => ({ behavior: 'allow', updatedInput: input }) };
  if (asks === 'hook_callback') return { hooks: { PreToolUse: [{ hooks: [async () => ({})] }] } };
  const { z } = await import('zod');
  const add = tool('add', 'Adds two numbers', { a: z.number(), b: z.number() }, async ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
  }));
  return { mcpServers: { bench: createSdkMcpServer({ name: 'bench', version: '1.0.0', tools: [add] }) } };
}
