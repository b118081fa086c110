import type * as OfficialSdk from '@anthropic-ai/claude-agent-sdk';

/** The official package, or ours: programs are written against the official types. */
export type Sdk = typeof OfficialSdk;

/** What a program of a comparison is given. */
export interface Place {
  /** A folder of its own, the working directory of the options. */
  readonly cwd: string;
  /** Options that start the agent; add what the comparison is about. */
  readonly options: OfficialSdk.Options;
  /** Keeps a value under a name, to be compared. */
  note(name: string, value: unknown): void;
}

/** What is run with both packages. A query that it returns is read to its end. */
export type Program = (sdk: Sdk, place: Place) => unknown;

export const sdks = {
  official: async (): Promise<Sdk> => await import('@anthropic-ai/claude-agent-sdk'),
  // Compared as what it claims to be; where its types differ is the business of `e2e/types`.
  ours: async (): Promise<Sdk> => (await import('@hexagent/sdk/claude-agent-sdk')) as unknown as Sdk,
} as const;

export type Side = keyof typeof sdks;

export const sides: readonly Side[] = ['official', 'ours'];
