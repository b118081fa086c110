import { settledWithin } from '@hexagent/async';
import { errorText } from '@hexagent/checks';
import { findCli, systemClock } from '@hexagent/processes';
import { checkBuild, checkPackage, checkSearch, checkVersion } from './check-cli.ts';
import { checkConfig, checkCwd, checkHome, checkTemp } from './check-folders.ts';
import { checkProxy, checkTls } from './check-network.ts';
import { checkService } from './check-service.ts';
import { checkNode, checkSandbox, checkShell } from './check-system.ts';
import type { Machine } from './machine.ts';
import { checkNames, fail, skipped, type DoctorCheckName, type DoctorReport, type Finding } from './report.ts';

type Check = (machine: Machine) => Finding | Promise<Finding>;

/** Runs every check, each with its time. Never rejects: a check that cannot be made has failed. */
export async function examine(machine: Machine, timeoutMs: number): Promise<DoctorReport> {
  const limited = (check: Check): Promise<Finding> => withinLimit(async () => await check(machine), timeoutMs);
  const findings: Readonly<Record<DoctorCheckName, Promise<Finding>>> = {
    ...examineCli(machine, limited),
    node: limited(checkNode),
    service: limited(checkService),
    home: limited(checkHome),
    config: limited(checkConfig),
    temp: limited(checkTemp),
    cwd: limited(checkCwd),
    proxy: limited(checkProxy),
    tls: limited(checkTls),
    sandbox: limited(checkSandbox),
    shell: limited(checkShell),
  };
  const checks = await Promise.all(checkNames.map(async (name) => ({ name, ...(await findings[name]) })));
  return { ok: checks.every(({ status }) => status !== 'fail'), checks };
}

type CliChecks = Record<'cli' | 'build' | 'package' | 'version', Promise<Finding>>;

function examineCli(machine: Machine, limited: (check: Check) => Promise<Finding>): CliChecks {
  const search = findCli(machine.host, machine.executable);
  const cli = Promise.resolve(checkSearch(search));
  if ('failure' in search) {
    const none = Promise.resolve(skipped('There is no CLI to check.'));
    return { cli, build: none, package: none, version: none };
  }
  const build = limited(async () => await checkBuild(search, machine));
  const isFile = machine.host.inspect(search.path) === 'file';
  return {
    cli,
    build,
    package: isFile ? limited(async () => await checkPackage(search, machine)) : Promise.resolve(unchecked),
    // The program is ended at a limit of its own.
    version: build.then(({ status }) =>
      status === 'fail' ? unchecked : checkVersion(search, machine).catch(toFailure),
    ),
  };
}

const unchecked = skipped('See the check `build`.');

async function withinLimit(check: () => Promise<Finding>, ms: number): Promise<Finding> {
  const finding = check().catch(toFailure);
  if (await settledWithin(ms, finding, systemClock)) return await finding;
  return fail(
    `No answer within ${ms / 1000} s.`,
    'Look for a file system that does not answer, such as a network folder.',
  );
}

const toFailure = (error: unknown): Finding =>
  fail(
    `It could not be checked: ${errorText(error)}`,
    'Read the error; if it is not of your system, report it as a bug.',
  );
