/** The oldest CLI that both faces work with, and the one that the tests run. docs/versions.md has the same. */
export const oldestCli = '2.1.317';
export const testedCli = '2.1.328';

/** Negative when `one` is the older version. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => version.split('.').map(Number));
  return [0, 1, 2].map((index) => (left?.[index] ?? 0) - (right?.[index] ?? 0)).find((by) => by !== 0) ?? 0;
}
