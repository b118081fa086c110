import type { TranscriptEntry } from '@hexagent/ports';
import { sessionId, uuidOf } from './stored-places.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An entry as the CLI writes it, as many seconds later as its place in a list. */
function entry(type: string, name: string, parent: string | null, fields: Fields): TranscriptEntry {
  return {
    parentUuid: parent === null ? null : uuidOf(parent),
    isSidechain: false,
    type,
    uuid: uuidOf(name),
    timestamp: '2023-11-14T22:13:20.000Z',
    entrypoint: 'cli',
    cwd: '/some/dir',
    sessionId,
    version: '2.1.328',
    gitBranch: 'main',
    ...fields,
  };
}

export const user = (
  name: string,
  parent: string | null,
  content: unknown = `asked ${name}`,
  fields: Fields = {},
): TranscriptEntry => entry('user', name, parent, { message: { role: 'user', content }, ...fields });
export const answer = (name: string, parent: string | null, fields: Fields = {}): TranscriptEntry =>
  entry('assistant', name, parent, {
    message: { id: `msg_${name}`, role: 'assistant', content: [{ type: 'text', text: `answered ${name}` }] },
    ...fields,
  });
export const call = (name: string, parent: string, id: string, fields: Fields = {}): TranscriptEntry =>
  answer(name, parent, {
    message: { id, role: 'assistant', content: [{ type: 'tool_use', id: `use-${name}`, name: 'Bash', input: {} }] },
    ...fields,
  });
export const result = (name: string, parent: string, fields: Fields = {}): TranscriptEntry =>
  user(name, parent, [{ type: 'tool_result', tool_use_id: `use-${parent}`, content: 'r', is_error: true }], {
    sourceToolAssistantUUID: uuidOf(parent),
    ...fields,
  });
export const system = (name: string, parent: string | null, fields: Fields = {}): TranscriptEntry =>
  entry('system', name, parent, { content: 'noted', ...fields });
export const attached = (name: string, parent: string, attachment: Fields, fields: Fields = {}): TranscriptEntry =>
  entry('attachment', name, parent, { attachment, ...fields });
export const progress = (name: string, parent: string): TranscriptEntry => entry('progress', name, parent, {});

export const boundary = (name: string, anchor?: string, kept: readonly string[] = []): TranscriptEntry =>
  system(name, null, {
    subtype: 'compact_boundary',
    isMeta: false,
    logicalParentUuid: uuidOf('a2'),
    compactMetadata:
      anchor === undefined
        ? { trigger: 'manual' }
        : {
            trigger: 'manual',
            preservedMessages: { anchorUuid: uuidOf(anchor), uuids: kept.map(uuidOf), allUuids: kept.map(uuidOf) },
          },
  });
export const summary = (name: string, parent: string): TranscriptEntry =>
  user(name, parent, 'what was said', { isCompactSummary: true, isVisibleInTranscriptOnly: true });
export const title = (customTitle: unknown): TranscriptEntry => ({ type: 'custom-title', customTitle, sessionId });

export const four = [user('u1', null), answer('a1', 'u1'), user('u2', 'a1'), answer('a2', 'u2')];
const parallel = [user('u', null), call('c1', 'u', 'm'), call('c2', 'c1', 'm'), call('c3', 'c2', 'm')];
const results = [result('r1', 'c1'), result('r2', 'c2'), result('r3', 'c3')];
const [r1, r2, r3] = results as [TranscriptEntry, TranscriptEntry, TranscriptEntry]; // three, as written above
const after = [user('u3', 'S'), answer('a3', 'u3')];
const queued = { type: 'queued_command', prompt: 'also', source_uuid: uuidOf('sent'), commandMode: 'prompt' };
const caveat = user('c', null, '<local-command-caveat>x</local-command-caveat>', { isMeta: true });
const bulk = (kilobytes: number): TranscriptEntry =>
  answer(`f${kilobytes}`, null, { text: 'x'.repeat(kilobytes * 1024) });
const toText = (entries: readonly unknown[]): string => entries.map((each) => `${JSON.stringify(each)}\n`).join('');
const lines = (...entries: readonly TranscriptEntry[]): string => toText(entries);
const whole = toText(four);
const firstPrompts: Readonly<Record<string, readonly unknown[]>> = {
  'a command': ['<command-name>/x</command-name>\n<command-args>y</command-args>'],
  'a command, then a prompt': ['<command-name>/x</command-name>', 'asked'],
  'the output of a command': ['<local-command-stdout>x</local-command-stdout>', 'asked'],
  'a shell command': ['<bash-input>ls -l</bash-input>'],
  'an interruption': ['[Request interrupted by user]', 'asked'],
  'a reminder': ['<system-reminder>x</system-reminder>', [{ type: 'text', text: 'asked' }]],
  'an element of a language': ['<div>x</div> what is this', 'asked'],
  'a picture': [[{ type: 'image', source: {} }]],
  'a picture and words': [
    [
      { type: 'image', source: {} },
      { type: 'text', text: 'what is this' },
    ],
  ],
  'a document': [[{ type: 'document', source: {} }]],
  'a result': [[{ type: 'tool_result', tool_use_id: 'x', content: 'y' }], 'asked'],
  'many words': ['word '.repeat(100)],
  'a character that the cut goes through': [`${'x'.repeat(199)}😀😀`],
  'many lines': ['  one\n\ntwo\tthree '],
  nothing: [''],
  'the smaller sign': ['<3 this'],
};

/** Transcripts, and what is odd about each. */
export const transcripts: Readonly<Record<string, string | Buffer>> = {
  plain: whole,
  'two branches': lines(...four, answer('b', 'u1')),
  'a missing parent': toText(four.slice(1)),
  'a circle': lines(user('u', 'v'), user('v', 'u')),
  'a circle with an end': lines(user('u', 'v'), user('v', 'u'), answer('a', 'v')),
  'an entry without a uuid': lines(...four, { ...answer('x', 'a2'), uuid: undefined }),
  'an entry twice': lines(...four, ...four.slice(1, 2)),
  'a subagent at the end': lines(...four, answer('s', 'a1', { isSidechain: true })),
  'a subagent in between': lines(user('u', null), answer('s', 'u', { isSidechain: true }), answer('a', 's')),
  'a teammate at the end': lines(...four, answer('s', 'a1', { teamName: 'x' })),
  'for the model alone': lines(user('u', null), user('m', 'u', 'x', { isMeta: true }), answer('a', 'm')),
  'for the model alone at the end': lines(...four, user('m', 'a1', 'x', { isMeta: true })),
  'reports of progress': lines(user('u', null), progress('p', 'u'), answer('a', 'p'), progress('q', 'a')),
  attachments: lines(user('u', null), attached('x', 'u', { type: 'date' }), answer('a', 'x')),
  'an attachment on another branch at the end': lines(...four, attached('x', 'a1', { type: 'date' })),
  'types that are not known': lines(user('u', null), { ...system('w', 'u'), type: 'weird' }, answer('a', 'w')),
  'messages of the system': lines(
    user('u', null),
    system('s', 'u'),
    system('m', 's', { isMeta: true }),
    answer('a', 'm'),
  ),
  'a message of the system at the end': lines(...four, system('s', 'a1')),
  'two roots': lines(...four, user('u5', null), answer('a5', 'u5')),
  'tools at once': lines(...parallel, r1, r2, r3, answer('z', 'r3')),
  'tools at once, in another order': lines(...parallel, r3, r1, r2, answer('z', 'r2')),
  'tools at once, without an answer': lines(...parallel, r3, r1),
  'tools at once, all on the question': lines(user('u', null), call('c1', 'u', 'm'), call('c2', 'u', 'm'), r1, r2),
  'tools at once, a result elsewhere': lines(...parallel, { ...r1, parentUuid: uuidOf('u') }, r2, answer('z', 'r2')),
  'a compaction': lines(...four, boundary('B'), summary('S', 'B'), ...after),
  'a compaction that kept messages': lines(...four, boundary('B', 'S', ['u2', 'a2']), summary('S', 'B'), ...after),
  'a compaction at the end': lines(...four, boundary('B', 'S', ['a2']), summary('S', 'B')),
  'a compaction without a summary': lines(...four, boundary('B')),
  'a compaction that kept what is missing': lines(
    ...four,
    boundary('B', 'S', ['x', 'a2']),
    summary('S', 'B'),
    ...after,
  ),
  'two compactions': lines(
    ...four,
    boundary('B', 'S', ['a2']),
    summary('S', 'B'),
    ...after,
    boundary('C', 'T', ['a2', 'a3']),
    summary('T', 'C'),
  ),
  'tools at once that a compaction kept': lines(
    ...parallel.slice(0, 3),
    r1,
    r2,
    boundary('B', 'S', ['c2', 'r2']),
    summary('S', 'B'),
    ...after,
  ),
  'a queued message': lines(...parallel.slice(0, 2), r1, attached('q', 'r1', queued), answer('z', 'q')),
  'a queued message at the end': lines(
    ...four,
    attached('q', 'a2', { ...queued, source_uuid: undefined, origin: { kind: 'x' } }),
  ),
  'a queued message for the model alone': lines(...four, attached('q', 'a2', { ...queued, isMeta: true })),
  'a local command': lines(
    caveat,
    user('n', 'c', '<command-name>/x'),
    user('o', 'n', '<local-command-stdout>y'),
    user('p', 'o'),
  ),
  'a local command without its caveat': lines(
    user('n', null, '<command-name>/x'),
    user('o', 'n', '<local-command-stdout>y'),
  ),
  'a denied tool': lines(...parallel.slice(0, 2), { ...r1, toolDenialKind: 'user-rejected' }),
  'a tool denied for another reason': lines(...parallel.slice(0, 2), { ...r1, toolDenialKind: 'other' }),
  'a broken last line': `${whole}{"type":"custom-title","cust`,
  'a last line without an ending': whole.trimEnd(),
  'endings of another system': whole.replaceAll('\n', '\r\n'),
  'lines that are not entries': `null\n[]\n7\n"x"\nhello\n\n${whole}`,
  'keys in another order': toText(four.map((each) => Object.fromEntries(Object.entries(each).toReversed()))),
  'bytes that are not text': Buffer.concat([
    Buffer.from(whole),
    Buffer.from([0xff, 0xfe, 0x0a]),
    Buffer.from(lines(user('u5', 'a2', 'é\u2028😀'))),
  ]),
  nothing: '',
  'empty lines': '\n\n',
  'no JSON': 'hello\nworld',
  'a title': lines(...four, title('One'), title('Two')),
  'a title that is not text': lines(...four, title(7)),
  'a title that the agent made': lines(...four, { type: 'ai-title', aiTitle: 'Made' }),
  'a title, and one that the agent made': lines(...four, title('One'), { type: 'ai-title', aiTitle: 'Made' }),
  'a last prompt': lines(...four, { type: 'last-prompt', lastPrompt: 'Last' }, { type: 'summary', summary: 'Sum' }),
  'a summary of older agents': lines(...four, { type: 'summary', summary: 'Sum' }),
  'a tag': lines(...four, { type: 'tag', tag: 'one' }),
  'a tag that was taken away': lines(...four, { type: 'tag', tag: 'one' }, { type: 'tag', tag: '' }),
  'nothing but a title': lines(title('One')),
  'nothing that was asked': lines(answer('a', null)),
  'a transcript of a subagent': lines(user('u', null, 'x', { isSidechain: true })),
  'a title near the end of a long one': lines(...four, bulk(200), title('One'), user('u3', 'a2')),
  'a title near the beginning of a long one': lines(...four, title('One'), bulk(200), user('u3', 'a2')),
  'a long bookkeeping line': lines(
    ...four,
    { type: 'api-request-blob', blob: 'x'.repeat(3_000_000) },
    user('u3', 'a2'),
  ),
  'another branch later': lines(...four, answer('a3', 'a2', { gitBranch: 'later', cwd: '/later' })),
  'a program': lines(user('u', null, 'x', { entrypoint: 'sdk-ts' })),
  'a daemon': lines(user('u', null, 'x', { sessionKind: 'daemon' })),
  ...Object.fromEntries(
    Object.entries(firstPrompts).map(([name, texts]) => [
      `began with ${name}`,
      toText(texts.map((text, index) => user(`p${index}`, index === 0 ? null : `p${index - 1}`, text))),
    ]),
  ),
};

/** Where ours differs on purpose, and why. */
export const wanted: Readonly<Record<string, { readonly text: string; readonly why: string }>> = {
  'a first prompt of 100 kB': {
    text: lines(user('u', null, 'words '.repeat(20_000)), answer('a', 'u')),
    why: 'Officially the session is in no list: only 64 kB of the beginning are looked at.',
  },
  'a line of 60 MB before the first prompt': {
    text: lines(answer('a', null, { text: 'x'.repeat(60_000_000) }), user('u', 'a'), answer('b', 'u')),
    why: 'Officially the session is in no list.',
  },
  'a tag near the beginning of a long one': {
    text: lines(...four, { type: 'tag', tag: 'one' }, bulk(200)),
    why: 'Officially only a title is found there.',
  },
  'a branch in the input of a tool': {
    text: lines(
      ...four,
      answer('a3', 'a2', { message: { content: [{ type: 'tool_use', input: { gitBranch: 'no' } }] } }),
    ),
    why: 'Officially the input of the tool is taken for where the repository stood.',
  },
  'spaces between keys and values': {
    text: whole.replaceAll('":', '" : ').replaceAll('\n', ' \n '),
    why: 'Officially the session is in no list: a text is searched for, not an entry.',
  },
  'a message without a session': {
    text: lines({ ...user('u', null), sessionId: undefined }),
    why: 'Officially `session_id` is missing, although its type says that it is a string.',
  },
  'a compaction that kept something other than a list': {
    text: lines(
      ...four,
      { ...boundary('B'), compactMetadata: { preservedMessages: { anchorUuid: uuidOf('S'), uuids: 'x' } } },
      summary('S', 'B'),
    ),
    why: 'Officially it is a TypeError.',
  },
};
