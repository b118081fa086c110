import { delay, path, record, text, type Check } from '@hexagent/checks';
import { isRemoteCommand, type RemoteCommand } from '@hexagent/remote-transport';
import { refuseRelativeFolder } from './checks/combinations.ts';
import { environment } from './checks/options.ts';
import type { DoctorReport } from './doctor/report.ts';
import { environmentOf, type Environment } from './environment.ts';

/** What is examined: the session that these options would open. */
export interface DoctorOptions {
  /** Where the agent would work. */
  readonly cwd?: string | undefined;
  /**
   * Which CLI: a path, a name in `PATH`, or a place: of that only what a session needs to start there is examined. Default: it is searched
   * for on this machine.
   */
  readonly executable?: string | RemoteCommand | undefined;
  /** What the agent would see of the environment. */
  readonly env?: Environment | undefined;
  /** How long each check may take. Default 10 000. */
  readonly timeoutMs?: number | undefined;
}

const executable: Check<string | RemoteCommand> = (value, place) =>
  isRemoteCommand(value) ? value : text()(value, place);

const options = record<DoctorOptions>(
  { cwd: path, executable, env: environment, timeoutMs: delay },
  { called: 'the options of doctor()' },
);

/**
 * Examines what a session needs: the CLI, the credentials, folders, the network's settings. Nothing is sent and nothing is
 * changed, secrets are not shown, and each check ends in time. Only the CLI is started, with `--version`.
 * @example
 * const { ok, checks } = await doctor();
 * if (!ok) for (const { name, found, remedy } of checks) if (remedy) console.error(name, found, remedy);
 * @throws {TypeError} for an invalid option, naming it.
 */
export async function doctor(given: DoctorOptions = {}): Promise<DoctorReport> {
  const { cwd, executable, env, timeoutMs = 10_000 } = options(given, '');
  if (isRemoteCommand(executable)) {
    refuseRelativeFolder({ executable, cwd });
    const { examinePlace } = await import('./doctor/examine-place.ts');
    return await examinePlace({ place: executable, env: environmentOf({ env }), cwd, timeoutMs });
  }
  const [{ examine }, { readMachine }] = await Promise.all([
    import('./doctor/examine.ts'),
    import('./doctor/machine.ts'),
  ]);
  return await examine(readMachine({ env: environmentOf({ env }), executable, cwd, timeoutMs }), timeoutMs);
}
