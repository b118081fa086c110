// probe.ts [NAMES]: tries what both faces have with the CLI that CLAUDE_CODE_PATH names, or these things alone, and prints the
// outcomes as JSON.
import { errorText } from '@hexagent/checks';
import { dropInProbes } from './drop-in-probes.ts';
import { nativeProbes } from './native-probes.ts';
import type { Probe } from './probe-tools.ts';
import type { FaceOutcome } from './versions.ts';

const limitMs = 60_000;
const only = process.argv.slice(2);

async function outcomeOf(all: readonly Probe[]): Promise<FaceOutcome> {
  const probes = all.filter(({ name }) => only.length === 0 || only.includes(name));
  const lacking: Record<string, string> = {};
  for (const { name, run } of probes) {
    const failure = await failureOf(run);
    if (failure !== undefined) lacking[name] = failure.split('\n')[0] ?? '';
  }
  return { tried: probes.length, lacking };
}

async function failureOf(run: Probe['run']): Promise<string | undefined> {
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve(`It took longer than ${limitMs} ms.`), limitMs);
  try {
    return await Promise.race([run().then(() => undefined, sinceOf), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** What an error says of the version of the CLI, or else all of it. */
function sinceOf(error: unknown): string {
  const text = errorText(error);
  return /It came with the CLI \S+(?=:)/.exec(text)?.[0] ?? text;
}

process.on('warning', () => {});
console.log(JSON.stringify({ native: await outcomeOf(nativeProbes), dropIn: await outcomeOf(dropInProbes) }));
// A probe that took too long must not keep this program.
process.exit();
