// Agents of a worker of the chaos run: they write down what they do, with the lease under which they do it.
import { appendFileSync } from 'node:fs';
import type { ChatSessionOptions, WorkerOptions } from '@hexagent/chat';
import { createSdk } from '@hexagent/sdk';
import { gate, linkedTransport, reply, scriptedAgent, type AgentFunction } from '@hexagent/testing';
import { monotonicMs, type LedgerLine } from './ledger-line.ts';
import { readTask } from './task.ts';

export interface LedgerOptions {
  readonly file: string;
  /** The name of the worker. */
  readonly owner: string;
}

interface Driven {
  readonly session: string;
  readonly fence: number;
}

const variable = 'CHAOS_DRIVEN';

/** Scripted agents, or the real CLI with a header that names the lease. */
export function agentsWithLedger(
  ledger: LedgerOptions,
  real: ChatSessionOptions | undefined,
): Pick<WorkerOptions, 'sdk' | 'session'> {
  if (real !== undefined)
    return {
      session: ({ session, fence = 0 }) => {
        const driven = JSON.stringify({ session, fence, owner: ledger.owner });
        const set = { ...real.env?.set, ANTHROPIC_CUSTOM_HEADERS: `x-chaos: ${driven}`, CHAOS_LEDGER: ledger.file };
        return { ...real, env: { ...real.env, set } };
      },
    };
  const sdk = createSdk({ transport: linkedTransport(playing(ledger)).transport });
  return {
    sdk,
    session: ({ session, fence = 0 }) => ({
      cwd: process.cwd(),
      env: { policy: 'exact', set: { [variable]: JSON.stringify({ session, fence }) } },
    }),
  };
}

function playing({ file, owner }: LedgerOptions): AgentFunction {
  let lives = 0;
  // A text that makes its agent exit does so once in each worker.
  const exited = new Set<string>();
  return (agent) => {
    const { session, fence } = JSON.parse(agent.launch?.env[variable] ?? '{}') as Driven; // written above
    const life = `${owner} ${(lives += 1)}`;
    const write = (kind: LedgerLine['kind'], text = ''): void =>
      appendFileSync(file, `${JSON.stringify({ at: monotonicMs(), kind, owner, life, session, fence, text })}\n`);
    write('open');
    void agent.exited.then(() => write('gone'));
    const line = (text: string): object => ({
      type: 'transcript_mirror',
      filePath: `/projects/chaos/${session}.jsonl`,
      entries: [{ type: 'user', uuid: crypto.randomUUID(), text, owner, fence }],
    });
    scriptedAgent({
      turns({ message }) {
        const text = String(Reflect.get(Object(message), 'content'));
        const { isAsked, takesMs, exits } = readTask(text);
        write('begin', text);
        const done = gate();
        setTimeout(() => done.open(), takesMs);
        if (exits && !exited.has(text)) return (exited.add(text), [reply.hold(done), reply.exit({ code: 1 })]);
        const asked = isAsked ? [reply.tool('Bash', { command: 'make' }, { asks: true })] : [];
        return [
          reply.frames(line(text)),
          ...asked,
          'I did ',
          reply.hold(done),
          reply.frames(line(`did ${text}`)),
          `${text}.`,
        ];
      },
    })(agent);
  };
}
