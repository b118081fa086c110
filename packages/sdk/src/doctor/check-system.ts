import { searchPath } from '@hexagent/processes';
import type { Machine } from './machine.ts';
import { compareVersions } from './cli-versions.ts';
import { fail, ok, skipped, warn, type Finding } from './report.ts';

export function checkNode({ nodeVersion }: Machine): Finding {
  const major = Number.parseInt(nodeVersion, 10);
  const least = { 20: '20.19.0', 22: '22.13.0' }[major] ?? '24.0.0';
  if (compareVersions(nodeVersion, least) >= 0) return ok(nodeVersion);
  return fail(`${nodeVersion} is not supported.`, 'Install Node 20.19, 22.13, 24 or later.');
}

/** What the CLI needs for its option `sandbox`, and for nothing else. */
export function checkSandbox({ host, env }: Machine): Finding {
  if (host.platform === 'win32') return skipped('There is no sandbox on Windows.');
  if (host.platform !== 'linux') return ok('It comes with the system.');
  const missing = Object.entries({ bwrap: 'bubblewrap', socat: 'socat' }).filter(
    ([name]) => searchPath(name, host, env['PATH']).path === undefined,
  );
  if (missing.length === 0) return ok('bwrap and socat are in PATH.');
  const names = missing.map(([, name]) => name).join(' and ');
  const remedy = `Install ${names} if you use the option \`sandbox\` of the CLI: apt install ${missing.map(([, name]) => name).join(' ')}`;
  return warn(`No ${names} in PATH.`, remedy);
}

/** The watchdog, which ends agents of a killed program, is a script of the shell. */
export function checkShell({ host }: Machine): Finding {
  if (host.platform === 'win32') return skipped('No shell is needed on Windows.');
  const shell = '/bin/sh';
  if (host.inspect(shell) === 'file' && host.isExecutable(shell)) return ok(shell);
  const remedy = `Install a shell as ${shell}: without it, agents outlive a program that is killed.`;
  return warn(`${shell} is not there, or may not be run.`, remedy);
}
