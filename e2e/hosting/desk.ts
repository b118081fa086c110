import { join } from 'node:path';
import { Approvals, type ApprovalEvent } from '@hexagent/approvals';
import { ApprovalFiles } from '@hexagent/host-files';
import type { ApprovalRecord } from '@hexagent/ports';
import { systemClock } from '@hexagent/processes';
import type { AskHandler } from '@hexagent/sdk';
import { expect } from 'vitest';
import type { Stage } from '../support/stage.ts';

/** Where the approvals of a stage are. */
export const folderOf = ({ home }: Stage): string => join(home.root, 'approvals');

/** Approvals in the files of a stage, and what happened to them. */
export class Desk implements AsyncDisposable {
  readonly store: ApprovalFiles;
  readonly approvals: Approvals;
  readonly events: ApprovalEvent[] = [];

  constructor(place: Stage) {
    this.store = new ApprovalFiles({ folder: folderOf(place) });
    this.approvals = new Approvals({ store: this.store, clock: systemClock });
    this.approvals.subscribe((event) => void this.events.push(event));
  }

  get onAsk(): AskHandler {
    return this.approvals.for('chat');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
  }
}

/** The record of the one request that waits, once it does. */
export async function waitingAt({ approvals }: Desk): Promise<ApprovalRecord> {
  await expect.poll(() => approvals.list({ state: 'open' }), { timeout: 20_000 }).toHaveLength(1);
  const [record] = await approvals.list({ state: 'open' });
  return record!;
}
