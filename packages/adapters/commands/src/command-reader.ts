import type { CommandReader } from '@hexagent/ports';
import { readPowerShell } from './power-shell.ts';
import { readShell } from './shell.ts';

/** Reads commands as POSIX shells, Bash and zsh do, and those of PowerShell by the names in them. */
export const commandReader: CommandReader = {
  read: (text, shell) => (shell === 'powershell' ? readPowerShell(text) : readShell(text)),
};
