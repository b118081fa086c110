import type { Transport } from '@hexagent/ports';
import type { SpawnedProcess, SpawnOptions } from './types/process.ts';

/** How one query reaches its agent; the composition root chooses what is absent. */
export interface AgentChoice {
  readonly transport?: Transport | undefined;
  /** Starts the CLI in another way. */
  readonly spawn?: ((options: SpawnOptions) => SpawnedProcess) | undefined;
  /** The CLI to run. */
  readonly executable?: string | undefined;
  /** What runs it when it is a JavaScript file. */
  readonly interpreter?: 'bun' | 'deno' | 'node' | undefined;
  readonly interpreterArgs?: readonly string[] | undefined;
  readonly onStderr?: ((text: string) => void) | undefined;
}
