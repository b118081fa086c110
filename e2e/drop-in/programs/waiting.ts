// What never answers, where nothing but the limit of a wait keeps the program alive: a store, and an agent in this process.
import { PassThrough } from 'node:stream';
import { EventEmitter } from 'node:events';
import { query, startup, type Options, type SessionStore, type SpawnedProcess } from '@anthropic-ai/claude-agent-sdk';

const never = (): Promise<never> => new Promise(() => {});

/** What took too long, and how long that was; the other words of the error are each package's own. */
async function show(what: string, call: () => Promise<unknown>): Promise<void> {
  const outcome = await call().then(
    () => 'resolved',
    (error: unknown) => (error as Error).message.match(/\w+\(\)|initialization|\d+(?= ?ms)/g)?.join(', '),
  );
  console.log(`${what}: ${outcome}`);
}

const read = async (options: Options): Promise<void> => {
  for await (const message of query({ prompt: 'Go on.', options })) console.log(message.type);
};

const store: SessionStore = { append: async () => {}, load: never, listSessions: never };
await show('continued', () => read({ sessionStore: store, continue: true, loadTimeoutMs: 200 }));
const resume = '21d6f40c-fb51-4982-8442-4e0e250a9557';
await show('resumed', () => read({ sessionStore: store, resume, loadTimeoutMs: 200 }));

/** An agent that reads, and writes nothing until it is ended. */
function silentAgent(): SpawnedProcess {
  const events = new EventEmitter();
  const stdout = new PassThrough();
  const agent = Object.assign(events, {
    stdin: new PassThrough().resume(),
    stdout,
    killed: false,
    exitCode: null as number | null,
    kill(): boolean {
      agent.killed = true;
      agent.exitCode = 0;
      stdout.end();
      queueMicrotask(() => agent.emit('exit', 0, null));
      return true;
    },
  });
  return agent;
}
await show('started', () => startup({ options: { spawnClaudeCodeProcess: silentAgent }, initializeTimeoutMs: 200 }));
const closed = query({ prompt: 'hi', options: { spawnClaudeCodeProcess: silentAgent } });
setTimeout(() => closed.close(), 50);
let count = 0;
for await (const _ of closed) count += 1;
console.log(`closed after ${count}`);
