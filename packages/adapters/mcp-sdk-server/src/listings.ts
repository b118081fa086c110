import { errorText } from '@hexagent/checks';
import type { JsonRpcMessage } from '@hexagent/ports';
import type { ServerFailures } from './server-failures.ts';
import { listingProblem, toolsLeftOut, type TakenNames } from './tool-listing.ts';

type Reply = Pick<JsonRpcMessage, 'result' | 'error'>;

/** Reports tools that the agent leaves out without a message. */
export class Listings {
  readonly #failures: ServerFailures;
  /** Servers none of whose tools are shown. */
  readonly #unusable = new Set<string>();
  readonly #taken: TakenNames = new Map();
  /** Tools that are left out and were reported to the program. */
  readonly #reported = new Set<string>();
  /** What was found before there was anybody to report it to. */
  #early: (() => void)[] | undefined = [];

  constructor(failures: ServerFailures) {
    this.#failures = failures;
  }

  attached(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const report of early) report();
  }

  /** Checks what a server has answered to `tools/list`. That it answered nothing, the protocol reports. Never throws. */
  check(server: string, reply: Reply | undefined): void {
    if (reply === undefined) return;
    if (this.#early === undefined) this.#report(server, reply);
    else this.#early.push(() => this.#report(server, reply));
  }

  /** The server has no tools any more. */
  forget(server: string): void {
    for (const [whole, owner] of this.#taken) if (owner.server === server) this.#taken.delete(whole);
  }

  #report(server: string, { result, error }: Reply): void {
    try {
      const problem = error === undefined ? listingProblem(result) : `It refused tools/list: ${errorText(error)}`;
      if (problem !== undefined) {
        this.#unusable.add(server);
        return this.#failures.failed(server, problem);
      }
      if (this.#unusable.delete(server)) this.#failures.works(server);
      this.forget(server);
      for (const why of toolsLeftOut(result, server, this.#taken)) this.#leftOut(server, why);
    } catch {
      // A server in this process may answer with an object that throws when it is read; the protocol refuses that.
    }
  }

  #leftOut(server: string, why: string): void {
    const what = `The agent leaves out a tool of the MCP server ${server}: ${why}.`;
    if (this.#reported.has(what)) return;
    this.#reported.add(what);
    this.#failures.leftOut(server, what);
  }
}
