import type { SessionRecord } from '@hexagent/ports';
import type { LedgerParts } from './session-parts.ts';

/** A worker without an address leaves the one that is there. */
export function withAddress(record: SessionRecord, address: string | undefined): SessionRecord {
  return address === undefined || address === record.address ? record : { ...record, address };
}

/** The record of a session. Where another worker had it last, stores that this one has it; that alone moves it in no list. */
export async function readRecord(
  { directory, id, address }: Pick<LedgerParts, 'directory' | 'id' | 'address'>,
  fence: number,
): Promise<SessionRecord | undefined> {
  const stored = await directory.get(id);
  if (stored === undefined) return undefined;
  const record = withAddress(stored, address);
  if (record !== stored) await directory.put(record, fence);
  return record;
}
