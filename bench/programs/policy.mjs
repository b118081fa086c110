// The decision of a policy with 1,000 rules about a call: through `session.permissions.explain()`, which decides as for the agent.
import { cpuMs, report } from './subject.mjs';

const { createSdk } = await import(process.env.BENCH_MODULE);
const rounds = Number(process.env.BENCH_ROUNDS);

const many = (count, rule) => Array.from({ length: count }, (_, index) => rule(index));
const mixed = {
  deny: [
    ...many(100, (n) => `Bash(zap${n} push *)`),
    ...many(100, (n) => `Read(//srv/secret${n}/**)`),
    ...many(100, (n) => `mcp__server${n}__write`),
    ...many(34, (n) => `WebFetch(domain:host${n}.test)`),
  ],
  ask: [
    ...many(100, (n) => `Bash(zop${n} *)`),
    ...many(100, (n) => `Edit(/src${n}/*.ts)`),
    ...many(133, (n) => `mcp__asked${n}`),
  ],
  allow: [
    ...many(100, (n) => `Bash(npm run task${n} *)`),
    ...many(100, (n) => `Read(/docs${n}/**)`),
    ...many(133, (n) => `mcp__free${n}__read`),
  ],
};
const mixedCalls = [
  ['Bash', { command: 'npm run task7 -- --watch' }],
  ['Bash', { command: 'cd src && grep -rn "a b" . | head -20; FOO=1 zap7 push origin "$(git rev-parse HEAD)"' }],
  ['Read', { file_path: '/srv/app/docs7/a/b/c.md' }],
  ['Edit', { file_path: 'src7/a.ts', old_string: 'a', new_string: 'b' }],
  ['WebFetch', { url: 'https://host7.test/a?b=c', prompt: 'x' }],
  ['mcp__free7__read', {}],
  ['mcp__other__tool', {}],
  ['Glob', { pattern: '*' }],
];
const ofOneTool = {
  shell: {
    rules: { deny: many(1000, (n) => `Bash(zap${n} push *)`) },
    calls: mixedCalls.slice(0, 2),
  },
  paths: {
    rules: { deny: many(1000, (n) => `Read(//srv/secret${n}/**)`) },
    calls: [mixedCalls[2], ['Read', { file_path: '/srv/secret7/a' }]],
  },
};

/** Reaches an agent that writes nothing. */
const transport = {
  async connect() {
    let leave;
    const exit = new Promise((resolve) => (leave = () => resolve({ code: 0, signal: null, stderr: '' })));
    const end = { next: () => exit.then(() => ({ done: true, value: undefined })) };
    const frames = { [Symbol.asyncIterator]: () => end };
    const gone = async () => leave();
    return { frames, send: async () => {}, end: gone, close: gone, pause() {}, resume() {}, exit };
  },
};

/** Microseconds of processor time for one decision. */
async function measured({ rules, calls }) {
  const session = await createSdk({ transport }).openSession({ cwd: '/srv/app', permissions: rules });
  const decide = (times) => {
    for (let round = 0; round < times; round += 1)
      for (const [tool, input] of calls) session.permissions.explain(tool, input);
  };
  decide(Math.ceil(rounds / 10));
  const began = cpuMs();
  decide(rounds);
  const us = ((cpuMs() - began) * 1000) / (rounds * calls.length);
  await session.close();
  return us;
}

const mix = await measured({ rules: mixed, calls: mixedCalls });
const shell = await measured(ofOneTool.shell);
const paths = await measured(ofOneTool.paths);
report({ mix, shell, paths });
