import { readdir } from 'node:fs/promises';
import type { ModelRequest, Script } from '@hexagent/testing/loopback';
import { cli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { record, type Seen } from './recording.ts';
import { sdks, type Program, type Sdk, type Side } from './sdks.ts';

export interface RealRecord extends Seen {
  /** What lies in the working directory afterwards. */
  readonly files: readonly string[];
  /** What the model was asked, without requests beside the conversation. */
  readonly requests: readonly ModelRequest[];
}

/** Runs a program with one package over the real CLI, whose model follows the script. `wrap` puts something around the package. */
export async function runReal(
  side: Side,
  program: Program,
  script: Script,
  wrap: (sdk: Sdk) => Sdk = (sdk) => sdk,
): Promise<RealRecord> {
  await using place = await stage(script);
  const options = { pathToClaudeCodeExecutable: cli, cwd: place.home.cwd, env: { ...place.env } };
  const seen = await record(program, wrap(await sdks[side]()), { cwd: place.home.cwd, options }, 50_000);
  return { ...seen, files: (await readdir(place.home.cwd)).toSorted(), requests: place.loopback.requests };
}
