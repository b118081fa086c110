import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Seen } from '@hexagent/testing/scenarios';

/** The file with what was seen of a scenario with the real CLI. `pnpm scenarios` writes it. */
export const recordingOf = (name: string): string =>
  fileURLToPath(new URL(`./recorded/${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.json`, import.meta.url));

/** As it is stored: lines about which the depths need not agree are left out. */
export const toRecording = ({ received, asked, written }: Seen): string =>
  `${JSON.stringify({ received, asked, written }, null, 2)}\n`;

export const readRecording = (name: string): string => readFileSync(recordingOf(name), 'utf8');
