import { MemoryApprovalStore } from '@hexagent/approvals';
import { ApprovalFiles, DirectoryFiles, LeaseFiles, OutboxFiles } from '@hexagent/host-files';
import { MemoryDirectory, MemoryLeases, MemoryOutbox } from '@hexagent/hosting';
import type { ApprovalStore, LeaseStore, OutboxStore, SessionDirectory } from '@hexagent/ports';

/** What a chat keeps beside the transcripts of its agents. */
export interface ChatStores {
  readonly outbox: OutboxStore;
  readonly directory: SessionDirectory;
  readonly leases: LeaseStore;
  readonly approvals: ApprovalStore;
}

/** Stores that a chat made, and closes. */
interface OwnStores extends ChatStores {
  close(): Promise<void>;
}

/** In a folder, or in memory. */
export function storesIn(folder: string | undefined): OwnStores {
  if (folder === undefined)
    return {
      outbox: new MemoryOutbox(),
      directory: new MemoryDirectory(),
      leases: new MemoryLeases(),
      approvals: new MemoryApprovalStore(),
      close: async () => {},
    };
  const outbox = new OutboxFiles({ folder });
  const directory = new DirectoryFiles({ folder });
  const leases = new LeaseFiles({ folder });
  const approvals = new ApprovalFiles({ folder });
  const close = async (): Promise<void> => {
    await Promise.all([outbox, directory, leases, approvals].map((store) => store.close()));
  };
  return { outbox, directory, leases, approvals, close };
}
