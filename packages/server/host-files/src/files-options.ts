import { isName, number, shown, type Check } from '@hexagent/checks';

export interface FilesOptions {
  /** Where the files are; created when a store is first used. All stores of a program can share one. */
  readonly folder: string;
  /** How many bytes of changes are collected at least before a snapshot replaces them. Default 1 MB. */
  readonly compactAfterBytes?: number | undefined;
}

export function checkFolder(folder: unknown): void {
  if (!isName(folder)) throw new TypeError(`\`folder\` must be the path of a folder, not ${shown(folder)}.`);
}

export const checkWhole: Check<number> = number({ least: 0, whole: true });
