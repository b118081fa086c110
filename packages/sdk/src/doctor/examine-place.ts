import { onAbort } from '@hexagent/async';
import { SdkError, type Connection } from '@hexagent/ports';
import { systemClock } from '@hexagent/processes';
import { RemoteTransport, type RemoteCommand } from '@hexagent/remote-transport';
import { toVersionFinding } from './check-cli.ts';
import { checkNames, fail, ok, skipped, type DoctorCheckName, type DoctorReport, type Finding } from './report.ts';

export interface PlaceToExamine {
  readonly place: RemoteCommand;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string | undefined;
  readonly timeoutMs: number;
}

type Findings = Partial<Record<DoctorCheckName, Finding>>;

/** Runs `--version` of the CLI at a place: reaching it names what is wrong there. What else is checked is on that machine. */
export async function examinePlace(given: PlaceToExamine): Promise<DoctorReport> {
  const found = await findingsOf(given);
  const elsewhere = skipped(`Not examined at ${given.place.place}. Run \`npx hexagent doctor\` there.`);
  const checks = checkNames.map((name) => ({ name, ...(found[name] ?? elsewhere) }));
  return { ok: checks.every(({ status }) => status !== 'fail'), checks };
}

async function findingsOf({ place, timeoutMs, env, cwd }: PlaceToExamine): Promise<Findings> {
  const byHand = `Run it by hand: ${place.argv('0').join(' ')}, and there the CLI with --version.`;
  const late = new AbortController();
  const { signal } = late;
  const stopWaiting = systemClock.after(timeoutMs, () => late.abort(), { keepsAlive: true });
  try {
    const transport = new RemoteTransport({ command: place });
    const set = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    const launch = {
      args: ['--version'],
      env: Object.fromEntries(set),
      initialize: {},
      ...(cwd !== undefined && { cwd }),
    };
    const connection = await transport.connect(launch, { signal });
    const { output, code } = await outputOf(connection, signal);
    if (!signal.aborted)
      return {
        cli: ok(`There is one at ${place.place}.`),
        ...(cwd !== undefined && { cwd: ok(`${cwd} can be entered there.`) }),
        version: toVersionFinding({ output, code, program: `The CLI at ${place.place}`, byHand }),
      };
  } catch (error) {
    if (SdkError.is(error)) return { [checkOf[error.code] ?? 'cli']: fail(error.message, error.remedy) };
    if (!signal.aborted) throw error;
  } finally {
    stopWaiting();
  }
  return { cli: fail(`${place.place} did not answer within ${timeoutMs / 1000} s.`, byHand) };
}

/** The check that a failure of reaching the place belongs to. */
const checkOf: Readonly<Record<string, DoctorCheckName>> = { CWD_MISSING: 'cwd', AGENT_START_FAILED: 'temp' };

async function outputOf(
  connection: Connection,
  signal: AbortSignal,
): Promise<{ readonly output: string; readonly code: number | null }> {
  const stopListening = onAbort(signal, () => void connection.close());
  try {
    const lines: string[] = [];
    for await (const batch of connection.frames) lines.push(...batch);
    const { code } = await connection.exit;
    return { output: lines.join('\n'), code };
  } finally {
    stopListening();
    await connection.close();
  }
}
