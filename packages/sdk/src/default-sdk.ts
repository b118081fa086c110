import { createSdk, type Sdk } from './create-sdk.ts';
import { madeLate } from './instrumentation.ts';

/** Made with the first call: importing the SDK does nothing that a program may not need. */
const sdk = madeLate((): Sdk => createSdk());

/**
 * Starts an agent and keeps it for as many turns as you like. Resolves when it runs.
 * @example
 * const session = await openSession({ cwd: 'my-project' });
 * try {
 *   const turn = session.send('Which tests are slow?');
 *   for await (const message of turn) console.log(message.type);
 *   console.log(await turn.result);
 * } finally {
 *   await session.close();
 * }
 */
export const openSession: Sdk['openSession'] = (options) => sdk().openSession(options);

/**
 * Asks once and lets everything finish.
 * @example
 * for await (const message of ask('Which tests are slow?')) console.log(message.type);
 */
export const ask: Sdk['ask'] = (prompt, options) => sdk().ask(prompt, options);
