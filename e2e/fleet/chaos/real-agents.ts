// Agents of the chaos run that are the real CLI: their requests to the model say under which lease they work.
import { appendFileSync } from 'node:fs';
import type { ChatSessionOptions } from '@hexagent/chat';
import { hermeticEnv, hermeticHome } from '@hexagent/testing/cli';
import {
  gate,
  lastUserText,
  startLoopback,
  text,
  toolResults,
  toolUse,
  type TurnLike,
} from '@hexagent/testing/loopback';
import type { ModelRequest } from '@hexagent/testing/loopback';
import { monotonicMs, type LedgerLine } from './ledger-line.ts';
import { readTask } from './task.ts';

export interface RealAgents extends AsyncDisposable {
  readonly session: ChatSessionOptions;
  /** Where from now on is written what they ask the model. */
  write(ledger: string): void;
}

/** Each request to the model is written down as the life of an agent: so long it certainly works. */
export async function realAgents(executable: string): Promise<RealAgents> {
  let ledger = '';
  const home = await hermeticHome();
  const answer = (request: ModelRequest): TurnLike => {
    const task = lastUserText(request);
    const driven = JSON.parse(String(request.headers['x-chaos'] ?? '{}')) as Pick<
      LedgerLine,
      'session' | 'fence' | 'owner'
    >; // of `agentsWithLedger()`
    const life = `${driven.owner} ${request.index}`;
    const write = (kind: LedgerLine['kind']): void =>
      appendFileSync(ledger, `${JSON.stringify({ at: monotonicMs(), kind, life, text: task, ...driven })}\n`);
    write('open');
    void request.ended.then(() => write('gone'));
    const isNew = toolResults(request).length === 0;
    if (isNew) write('begin');
    const { takesMs, isAsked } = readTask(task);
    if (isNew && isAsked) return toolUse('Bash', { command: 'make' });
    const done = gate();
    setTimeout(() => done.open(), takesMs);
    return text(['I did ', done, `${task}.`]);
  };
  const loopback = await startLoopback(answer);
  const env = hermeticEnv({ loopback, home });
  return {
    session: { cwd: home.cwd, executable, env: { policy: 'exact', set: env } },
    write: (file) => void (ledger = file),
    async [Symbol.asyncDispose]() {
      await loopback.close();
      await home.remove();
    },
  };
}
