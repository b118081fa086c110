/** Registers one test. */
export interface Case {
  (name: string, body: () => Promise<void>): unknown;
}

/** The functions of a test runner that a suite needs; those of Vitest, Jest and `node:test` fit. */
export interface Runner {
  readonly describe: (name: string, body: () => void) => unknown;
  /** `skip` is for promises that a fixture cannot test; the report lists them as skipped. */
  readonly it: Case & { readonly skip: Case };
}
