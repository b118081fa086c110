import type { TranscriptEntry } from '@hexagent/ports';

type Fields = Readonly<Record<string, unknown>>;

/** The second at which the entry of this number was written. */
const at = (second: number): string => new Date(1_700_000_000_000 + second * 1000).toISOString();

let written = 0;

/** An entry as an agent writes it: `uuid` after `parentUuid`, a second after the one before. */
function entry(type: string, uuid: string, parentUuid: string | null, fields: Fields): TranscriptEntry {
  written += 1;
  return {
    parentUuid,
    isSidechain: false,
    type,
    uuid,
    timestamp: at(written),
    sessionId: 'a-session',
    cwd: '/my/project',
    gitBranch: 'main',
    ...fields,
  };
}

export const user = (uuid: string, parent: string | null, fields: Fields = {}): TranscriptEntry =>
  entry('user', uuid, parent, { message: { role: 'user', content: `asked in ${uuid}` }, ...fields });

export const userEntry = (uuid: string, parent: string | null, text: unknown, fields: Fields = {}): TranscriptEntry =>
  user(uuid, parent, { message: { role: 'user', content: text }, ...fields });

export const assistant = (uuid: string, parent: string | null, fields: Fields = {}): TranscriptEntry =>
  entry('assistant', uuid, parent, {
    message: { id: `msg-${uuid}`, role: 'assistant', content: [{ type: 'text', text: `answered in ${uuid}` }] },
    ...fields,
  });

/** A block of the answer `id` that calls a tool. */
export const call = (uuid: string, parent: string, id: string, fields: Fields = {}): TranscriptEntry =>
  assistant(uuid, parent, {
    message: { id, role: 'assistant', content: [{ type: 'tool_use', id: `use-${uuid}`, name: 'Bash', input: {} }] },
    ...fields,
  });

/** What a called tool returned. */
export const result = (uuid: string, parent: string, fields: Fields = {}): TranscriptEntry =>
  userEntry(uuid, parent, [{ type: 'tool_result', tool_use_id: `use-${parent}`, content: 'done' }], fields);

export const system = (uuid: string, parent: string | null, fields: Fields = {}): TranscriptEntry =>
  entry('system', uuid, parent, { content: 'noted', ...fields });

export const attachment = (uuid: string, parent: string, attached: Fields, fields: Fields = {}): TranscriptEntry =>
  entry('attachment', uuid, parent, { attachment: attached, ...fields });

export const progress = (uuid: string, parent: string): TranscriptEntry => entry('progress', uuid, parent, {});

/** Where a conversation was compacted, and what was kept of it behind the entry `anchor`. */
export const boundary = (uuid: string, anchor?: string, kept: readonly string[] = []): TranscriptEntry =>
  system(uuid, null, {
    subtype: 'compact_boundary',
    isMeta: false,
    compactMetadata:
      anchor === undefined ? { trigger: 'manual' } : { preservedMessages: { anchorUuid: anchor, uuids: kept } },
  });

export const summary = (uuid: string, parent: string): TranscriptEntry =>
  user(uuid, parent, { isCompactSummary: true });
