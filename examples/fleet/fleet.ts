/*
 * A fleet on this machine: starts a PostgreSQL, workers and gateways, serves the page of the chat with a panel of the workers, and prints
 * the address. Offline, against a scripted model.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Flags } from './run.ts';

const usage = readFileSync(new URL('usage.txt', import.meta.url), 'utf8');

function flagsOf(args: readonly string[]): (Flags & { readonly help: boolean }) | undefined {
  const flag = { type: 'boolean', default: false } as const;
  const options = {
    'no-open': flag,
    help: { ...flag, short: 'h' },
    port: { type: 'string', default: '0' },
  } as const;
  try {
    const { values } = parseArgs({ args: [...args], options });
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`--port ${values.port} is no port.`);
    return { port, open: !values['no-open'], help: values.help };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return undefined;
  }
}

const flags = flagsOf(process.argv.slice(2));
if (flags === undefined) process.exitCode = 2;
else if (flags.help) process.stdout.write(usage);
// Loaded for this only: what builds the page takes a while to load.
else process.exitCode = await (await import('./run.ts')).run(flags);
