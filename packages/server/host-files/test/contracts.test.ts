import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  approvalStoreContract,
  leaseStoreContract,
  outboxStoreContract,
  sessionDirectoryContract,
  sessionSignalsContract,
} from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';
import {
  ApprovalFiles,
  DirectoryFiles,
  LeaseFiles,
  OutboxFiles,
  SignalFiles,
  type FilesOptions,
} from '../src/index.ts';
import { place } from './place.ts';

/** Opens stores over one folder; each line but the first few is replaced by a snapshot where `compactAfterBytes` is 0. */
async function opened<Store extends { close(): Promise<void> }>(
  create: (options: FilesOptions) => Store,
  options: Omit<FilesOptions, 'folder'>,
): Promise<{ readonly store: Store; readonly reopen: () => Promise<Store>; readonly close: () => Promise<void> }> {
  const stores: Store[] = [];
  const here = await place(stores);
  const { folder } = here;
  const open = (): Store => {
    const store = create({ folder, ...options });
    stores.push(store);
    folders.set(store, folder);
    return store;
  };
  return { store: open(), reopen: async () => open(), close: async () => await here[Symbol.asyncDispose]() };
}

const folders = new WeakMap<object, string>();

/** A number that no process has. */
const nobody = 1_073_741_824;

/** Writes of every worker that it is a process that there is not. */
async function loseHolders(store: object): Promise<void> {
  const folder = join(folders.get(store)!, 'leases');
  const newest = join(folder, (await readdir(folder)).toSorted().at(-1)!);
  const lines = (await readFile(newest, 'utf8')).split('\n').filter((line) => line.includes('"pid"'));
  for (const line of lines) {
    const { c: worker } = JSON.parse(line);
    const gone = { ...worker, holder: { ...worker.holder, pid: nobody } };
    await appendFile(newest, `\n${JSON.stringify({ c: gone })}\n`);
  }
}

for (const options of [{}, { compactAfterBytes: 0 }])
  describe(`Files, with ${JSON.stringify(options)}`, () => {
    const runner = { describe, it };
    const isDurable = true;
    approvalStoreContract(runner, { isDurable, open: () => opened((given) => new ApprovalFiles(given), options) });
    outboxStoreContract(runner, {
      isDurable,
      open: () => opened((given) => new OutboxFiles({ ...given, keepFinished: 3 }), options),
      keepsFinished: 3,
    });
    sessionDirectoryContract(runner, { isDurable, open: () => opened((given) => new DirectoryFiles(given), options) });
    sessionSignalsContract(runner, { isDurable, open: () => opened((given) => new SignalFiles(given), options) });
    leaseStoreContract(runner, {
      isDurable,
      open: () => opened((given) => new LeaseFiles(given), options),
      loseHolders,
    });
  });
