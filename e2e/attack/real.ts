import { readdirSync } from 'node:fs';
import { CliTransport } from '@hexagent/cli-transport';
import { createSdk, type Transport } from '@hexagent/sdk';
import { createQuery } from '@hexagent/sdk/claude-agent-sdk';
import { descendants, hermeticEnv, hermeticHome, processesMentioning, requireCli } from '@hexagent/testing/cli';
import { apiError, cut, hang, pause, startLoopback, text, toolUse, type TurnLike } from '@hexagent/testing/loopback';
import { Chance } from '../support/chance.ts';
import { newAccount } from './account.ts';
import { runDropIn } from './drop-in-face.ts';
import { judge, type Finding, type Written } from './invariants.ts';
import { endLeftovers, leftoversOf, takeStock } from './leftovers.ts';
import { runNative } from './native-face.ts';
import { makeProgram, type Plan } from './plan.ts';
import { Program, type RunPlace } from './program.ts';
import type { SeedOptions } from './run-seed.ts';

const cli = requireCli({ from: import.meta.url }) ?? '';

/** Runs one seed with the real CLI and a scripted model. */
export async function runReal(seed: number, { temporary, escaped }: SeedOptions): Promise<Finding> {
  const chance = new Chance(seed);
  const face = chance.oneOf(['native', 'native', 'drop-in'] as const);
  const isBenign = chance.percent(40);
  const plan: Plan = { seed, face, isBenign, program: makeProgram(chance, isBenign) };
  const mark = `attack-real-${process.pid}-${seed}-`;
  const [before, escapedBefore, account] = [takeStock(), escaped.length, newAccount()];
  const turns = Array.from({ length: 8 }, (_, index) => modelTurn(chance, isBenign, index));
  const home = await hermeticHome();
  const loopback = await startLoopback(({ index }) => turns[index] ?? 'done');
  const written: string[] = [];
  const transport = recorded(new CliTransport({ executable: cli }), written);
  const run: RunPlace = {
    sdk: { ...createSdk({ transport }), query: createQuery({ transport }) },
    cwd: home.cwd,
    env: hermeticEnv({ loopback, home, extra: { ATTACK_MARK: mark } }),
    signal: (signal) => signalCli(mark, signal),
    nameOf,
  };
  const program = new Program(plan, run, account);
  await (face === 'native' ? runNative : runDropIn)(program);
  await loopback.close();
  const ran = readdirSync(home.cwd).map((name) => `touch ${name}`);
  const wire: Written = { whole: written, begun: written };
  const leftovers = await leftoversOf({
    mark,
    // Its home is here too, and goes with what the CLI has put there.
    files: () => readdirSync(temporary).filter((name) => name.startsWith('hexagent-launch-')),
    before,
    signal: program.controller.signal,
  });
  endLeftovers(mark);
  await home.remove();
  return judge({ plan, written: wire, log: [], ran, account, leftovers, escaped: escaped.slice(escapedBefore) });
}

function modelTurn(chance: Chance, isBenign: boolean, index: number): TurnLike {
  const kind = chance.below(isBenign ? 60 : 100);
  if (kind < 15) return 'a short answer';
  if (kind < 25) return text(['an answer ', pause(chance.oneOf([1, 30])), 'in two pieces']);
  if (kind < 60) return toolUse('Bash', { command: `touch made-${index}` });
  if (kind < 72) return toolUse('Bash', { command: 'sleep 300' });
  if (kind < 80) return text(['never ', hang()]);
  if (kind < 90) return apiError(400, { message: 'No.', errorType: 'invalid_request_error' });
  return text(['broken ', cut()]);
}

/** A message of the wire that a program is to see, by its uuid. */
function nameOf(message: object): string | undefined {
  if ('type' in message && message.type === 'command_lifecycle') return undefined;
  if ('sdk_host_only' in message && message.sdk_host_only === true) return undefined;
  return 'uuid' in message && typeof message.uuid === 'string' ? message.uuid : undefined;
}

/** Notes the names of all messages that come from the agent. */
function recorded(transport: Transport, written: string[]): Transport {
  const note = (line: string): void => {
    const frame = JSON.parse(line) as { readonly type?: string };
    const isControl = frame.type?.startsWith('control_') === true || frame.type === 'transcript_mirror';
    const name = isControl ? undefined : nameOf(frame);
    if (name !== undefined) written.push(name);
  };
  return {
    async connect(launch, options) {
      const connection = await transport.connect(launch, options);
      async function* frames(): AsyncGenerator<readonly string[]> {
        for await (const lines of connection.frames) {
          for (const line of lines) note(line);
          yield lines;
        }
      }
      return {
        frames: frames(),
        exit: connection.exit,
        send: (line) => connection.send(line),
        end: () => connection.end(),
        close: () => connection.close(),
        pause: () => connection.pause(),
        resume: () => connection.resume(),
      };
    },
  };
}

/** The CLI is the one child of this process that carries the mark; its tools carry it too. */
function signalCli(mark: string, signal: NodeJS.Signals): void {
  const children = new Set(descendants(process.pid));
  const [first] = processesMentioning(mark).filter(({ pid, parent }) => children.has(pid) && parent === process.pid);
  if (first === undefined) return;
  try {
    process.kill(first.pid, signal);
  } catch {
    // It has left.
  }
}
