import { headOf, type EntryHead } from '@hexagent/checks';
import type { EntryIndex, PreservedMessages } from '@hexagent/ports';

/** What an index says of its entries, with texts in the place of numbers of uuids. Ids are named in the order of their use. */
export function headsIn(index: EntryIndex): readonly EntryHead[] {
  const nameOf = namesInOrder();
  const textOf = (uuid: number | undefined): string | undefined => optional(uuid, (number) => index.uuidText(number));
  return Array.from({ length: index.count }, (_, entry) => ({
    type: index.typeOf(entry),
    uuid: index.uuidText(index.uuidOf(entry)),
    parentUuid: textOf(index.parentUuidOf(entry)),
    timestamp: index.timestampOf(entry),
    isSidechain: index.isSidechain(entry),
    isMeta: index.isMeta(entry),
    isTeammates: index.isTeammates(entry),
    promptUuid: textOf(index.promptUuidOf(entry)),
    isBoundary: index.isBoundary(entry),
    messageId: optional(index.messageIdOf(entry), nameOf),
    toolUseIds: index.toolUseIdsOf(entry).map((id) => nameOf(id)),
    preserved: preservedIn(index, entry),
  }));
}

function preservedIn(index: EntryIndex, entry: number): PreservedMessages<string> | undefined {
  const preserved = index.preservedIn(entry);
  if (preserved === undefined) return undefined;
  const { anchorUuid, uuids } = preserved;
  const text = (uuid: number): string => index.uuidText(uuid);
  return {
    anchorUuid: text(anchorUuid),
    uuids: 'headUuid' in uuids ? { headUuid: text(uuids.headUuid), tailUuid: text(uuids.tailUuid) } : uuids.map(text),
  };
}

/** The same of lines that are parsed one by one: what the index has to agree with. */
export function plainHeads(content: Buffer): readonly EntryHead[] {
  const heads = linesOf(content).map((line) => headOf(parsed(line)));
  return withNamedIds(heads.filter((head) => head !== undefined));
}

export function withNamedIds(heads: readonly EntryHead[]): readonly EntryHead[] {
  const nameOf = namesInOrder();
  return heads.map((head) => ({
    ...head,
    messageId: optional(head.messageId, nameOf),
    toolUseIds: head.toolUseIds.map(nameOf),
  }));
}

/** The same name for the same value, and another one for another. */
function namesInOrder(): (value: unknown) => string {
  const names = new Map<unknown, string>();
  return (value) => {
    const name = names.get(value) ?? `id ${names.size}`;
    names.set(value, name);
    return name;
  };
}

const optional = <T>(value: T | undefined, nameOf: (value: T) => string): string | undefined =>
  value === undefined ? undefined : nameOf(value);

/** The entries of plain heads. */
export function plainEntries(content: Buffer): readonly unknown[] {
  return linesOf(content)
    .map(parsed)
    .filter((entry) => headOf(entry) !== undefined);
}

function linesOf(content: Buffer): readonly string[] {
  const lines: string[] = [];
  for (let start = 0; start < content.length;) {
    const found = content.indexOf(0x0a, start);
    const end = found === -1 ? content.length : found;
    let entry = start;
    // What a crash left before an entry is skipped.
    while (entry < end && (content[entry] ?? 0) <= 0x20) entry += 1;
    lines.push(content.toString('utf8', entry, end));
    start = end + 1;
  }
  return lines;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
