import type { DoctorReport } from '../doctor/report.ts';

/** One line for each check, and one for what to do. */
export function formatReport({ checks, ok }: DoctorReport): string {
  const lines = checks.flatMap(({ name, status, found, remedy }) => [
    `${status.padEnd(7)} ${name.padEnd(8)} ${found}`,
    ...(remedy === undefined ? [] : [`${' '.repeat(17)}> ${remedy}`]),
  ]);
  const failed = checks.filter(({ status }) => status === 'fail').length;
  return `${[...lines, '', ok ? 'Nothing failed.' : `${failed} of ${checks.length} checks failed.`].join('\n')}\n`;
}
