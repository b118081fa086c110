/** What is checked, in the order of the report. */
export const checkNames = [
  'node',
  'cli',
  'build',
  'package',
  'version',
  'service',
  'home',
  'config',
  'temp',
  'cwd',
  'proxy',
  'tls',
  'sandbox',
  'shell',
] as const;

/** What a check examines. */
export type DoctorCheckName = (typeof checkNames)[number];

/** What one check found. */
export interface DoctorCheck {
  /** What is examined. The page docs/troubleshooting.md describes each. */
  readonly name: DoctorCheckName;
  /** `fail`: a session would not work. `warn`: it works, and something is likely not meant. `skipped`: it could not be checked. */
  readonly status: 'ok' | 'warn' | 'fail' | 'skipped';
  /** What was found, in one line, without secrets. */
  readonly found: string;
  /** What to do about it; for `warn` and `fail`. */
  readonly remedy?: string | undefined;
}

/** What `doctor()` found. */
export interface DoctorReport {
  /** Whether nothing failed. */
  readonly ok: boolean;
  /** Always the same checks, in the same order. */
  readonly checks: readonly DoctorCheck[];
}

/** A check before it has its name. */
export type Finding = Omit<DoctorCheck, 'name'>;

export const ok = (found: string): Finding => ({ status: 'ok', found });
export const skipped = (found: string): Finding => ({ status: 'skipped', found });
export const warn = (found: string, remedy: string): Finding => ({ status: 'warn', found, remedy });
export const fail = (found: string, remedy: string): Finding => ({ status: 'fail', found, remedy });

/** One finding of several problems, as bad as the worst of them; `fine` where there are none. */
export function joined(problems: readonly (Finding | undefined)[], fine: Finding): Finding {
  const given = problems.filter((problem) => problem !== undefined);
  const [first = fine] = given;
  if (given.length < 2) return first;
  const remedies = new Set(given.flatMap(({ remedy }) => remedy ?? []));
  return {
    status: given.some(({ status }) => status === 'fail') ? 'fail' : 'warn',
    found: given.map(({ found }) => found).join(' '),
    remedy: [...remedies].join(' '),
  };
}
