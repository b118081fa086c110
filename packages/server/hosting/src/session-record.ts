import type { SessionRecord } from '@hexagent/ports';

/** A worker without an address leaves the one that is there. */
export function withAddress(record: SessionRecord, address: string | undefined): SessionRecord {
  return address === undefined || address === record.address ? record : { ...record, address };
}
