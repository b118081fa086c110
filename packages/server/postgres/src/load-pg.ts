import { SdkError } from '@hexagent/ports';
import type * as Pg from 'pg';

/**
 * Loads the peer with its first use. Inside `try`: only there do bundlers accept a package that is not installed.
 * @throws {SdkError} `STORE_FAILED` where it is missing.
 */
export async function loadPg(): Promise<typeof Pg> {
  try {
    return await import('pg');
  } catch (cause) {
    throw new SdkError('STORE_FAILED', 'The package `pg` could not be loaded: install it with `npm install pg`.', {
      cause,
    });
  }
}
