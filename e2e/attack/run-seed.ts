import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSession } from '@hexagent/sdk';
import { query } from '@hexagent/sdk/claude-agent-sdk';
import { newAccount, readLog, type AgentEvent } from './account.ts';
import { runDropIn } from './drop-in-face.ts';
import { judge, type Finding, type Written } from './invariants.ts';
import { endLeftovers, leftoversOf, takeStock } from './leftovers.ts';
import { runNative } from './native-face.ts';
import { makePlan } from './plan.ts';
import { Program, type RunPlace } from './program.ts';

const executable = fileURLToPath(new URL('agent/agent.mjs', import.meta.url));

export interface SeedOptions {
  /** Where plans and logs are written. */
  readonly folder: string;
  /** The folder for temporary files, which no other run uses. */
  readonly temporary: string;
  /** What has escaped so far in this process. */
  readonly escaped: readonly string[];
}

/** Runs one seed with a scripted agent. */
export async function runSeed(seed: number, { folder, temporary, escaped }: SeedOptions): Promise<Finding> {
  const plan = makePlan(seed);
  const own = join(folder, `seeds-${seed}`);
  mkdirSync(own, { recursive: true });
  const [planFile, logFile] = [join(own, 'plan.json'), join(own, 'log.jsonl')];
  writeFileSync(planFile, JSON.stringify(plan.agent));
  const mark = `attack-${process.pid}-${seed}-`;
  const place: RunPlace = {
    sdk: { openSession, query },
    executable,
    env: { PATH: process.env['PATH'] ?? '', ATTACK_PLAN: planFile, ATTACK_LOG: logFile, ATTACK_MARK: mark },
    signal: (signal) => signalAgent(readLog(logFile), signal),
    nameOf: (message) => ('n' in message && typeof message.n === 'number' ? String(message.n) : undefined),
  };
  const [before, escapedBefore, account] = [takeStock(), escaped.length, newAccount()];
  const program = new Program(plan, place, account);
  await (plan.face === 'native' ? runNative : runDropIn)(program);
  const leftovers = await leftoversOf({
    mark,
    files: () => readdirSync(temporary),
    before,
    signal: program.controller.signal,
  });
  endLeftovers(mark);
  const log = readLog(logFile);
  // The drop-in has no such option.
  const written = writtenMessages(log, plan.face === 'native' ? plan.program.maxLineBytes : undefined);
  const found = judge({ plan, written, log, ran: [], account, leftovers, escaped: escaped.slice(escapedBefore) });
  if (found.violations.length === 0) rmSync(own, { recursive: true });
  return found;
}

function signalAgent(log: readonly AgentEvent[], signal: NodeJS.Signals): void {
  const pid = log.find(({ on }) => on === 'start')?.pid;
  if (pid === undefined) return;
  try {
    process.kill(pid, signal);
  } catch {
    // It has left.
  }
}

/** What a scripted agent wrote, by its log. */
export function writtenMessages(log: readonly AgentEvent[], maxLineBytes = Number.POSITIVE_INFINITY): Written {
  const whole: string[] = [];
  const begun: string[] = [];
  let isBroken = false;
  /** How much of a line that was not ended was written. */
  let unended = 0;
  for (const { on, n, bytes = 0, how } of log) {
    if (on === 'writing' && n !== undefined) begun.push(String(n));
    if (on !== 'wrote') continue;
    if (unended + bytes > maxLineBytes) isBroken = true; // nothing is read after it
    // After a line that was not ended they became one.
    if (n !== undefined && unended === 0 && !isBroken) whole.push(String(n));
    unended = how === 'unended' ? unended + bytes : 0;
  }
  return { whole, begun };
}
