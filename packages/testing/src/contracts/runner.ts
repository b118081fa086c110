/** Runs one promise of a suite. */
export interface Case {
  (name: string, body: () => Promise<void>): unknown;
}

/** The test runner that a suite is given: Vitest, Jest and `node:test` all fit. */
export interface Runner {
  readonly describe: (name: string, body: () => void) => unknown;
  /** `skip` is for what a fixture cannot show; it stays visible. */
  readonly it: Case & { readonly skip: Case };
}
