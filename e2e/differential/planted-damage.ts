import type { TranscriptEntry } from '@hexagent/ports';
import { answer, attached, boundary, call, four, result, summary, system, user } from './planted-transcripts.ts';
import { uuidOf } from './stored-places.ts';

const lines = (...entries: readonly TranscriptEntry[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
const queued = (name: string, parent: string): TranscriptEntry =>
  attached(name, parent, { type: 'queued_command', prompt: 'also', source_uuid: uuidOf(`s${name}`) });
const caveat = (name: string, parent: string | null): TranscriptEntry =>
  user(name, parent, '<local-command-caveat>x', { isMeta: true });
const command = (name: string, parent: string): TranscriptEntry => user(name, parent, '<command-name>/x');
const output = (name: string, parent: string): TranscriptEntry => user(name, parent, '<local-command-stdout>y');
const asked = [user('u', null), call('c', 'u', 'm')];
const kept = boundary('B', 'S', ['u2', 'a2']);

/** What a seed has found to be ordered or named in another way than in the official package, each as few lines as show it. */
export const foundBySeeds: Readonly<Record<string, string>> = {
  'a queued message before another prompt': lines(...four, queued('q', 'a2'), user('u3', 'q'), answer('a3', 'u3')),
  'two of them': lines(...four, queued('q', 'a2'), queued('p', 'q'), user('u3', 'p'), answer('a3', 'u3')),
  'a queued message that was answered': lines(...four, queued('q', 'a2'), answer('a3', 'q'), user('u3', 'a3')),
  'a queued message before a result': lines(...asked, queued('q', 'c'), {
    ...result('r', 'c'),
    parentUuid: uuidOf('q'),
  }),
  'a queued message before an interruption': lines(
    ...four,
    queued('q', 'a2'),
    user('i', 'q', [{ type: 'text', text: '[Request interrupted by user]' }]),
    user('u3', 'i'),
  ),
  'a queued message before a local command': lines(
    ...four,
    queued('q', 'a2'),
    caveat('k', 'q'),
    command('n', 'k'),
    output('o', 'n'),
    answer('a3', 'o'),
  ),
  'a queued message before what is for the model alone': lines(...four, queued('q', 'a2'), caveat('k', 'q')),
  'queued messages around a local command': lines(
    ...four,
    queued('q', 'a2'),
    caveat('k', 'q'),
    command('n', 'k'),
    queued('p', 'n'),
  ),
  'a caveat behind a picture': lines(
    user('k', null, [{ type: 'image' }, { type: 'text', text: '<local-command-caveat>x' }], { isMeta: true }),
    command('n', 'k'),
  ),
  'a queued message before a summary': lines(...four, queued('q', 'a2'), summary('S', 'q'), answer('a3', 'S')),
  'a queued message whose source is odd': lines(
    ...four,
    attached('q', 'a2', { type: 'queued_command', prompt: 'x', origin: { kind: 7 } }),
  ),
  'a message whose source is odd': lines(user('u', null, 'x', { origin: '' }), answer('a', 'u', { origin: 'x' })),
  'two commands behind one caveat': lines(caveat('k', null), command('n', 'k'), output('o', 'n'), command('p', 'o')),
  'two caveats before the output': lines(caveat('k', null), command('n', 'k'), caveat('l', 'n'), output('o', 'l')),
  'a result that hangs on one answer and names a call of another': lines(
    answer('a', null),
    call('c', 'a', 'm'),
    call('d', 'a', 'm'),
    { ...result('r', 'd'), parentUuid: uuidOf('a') },
    user('z', 'c'),
  ),
  'a result that hangs on nothing': lines(...asked, { ...result('r', 'c'), parentUuid: null }, user('z', 'c')),
  'a result that hangs on what a compaction moved': lines(
    ...four,
    kept,
    answer('a3', 'S'),
    { ...result('r', 'x'), parentUuid: uuidOf('S') },
    user('u3', 'a3'),
  ),
  'a compaction that kept messages, cut off before its summary': lines(...four, kept),
  'a note of the system behind a compaction that kept what a queued message followed': lines(
    ...four,
    queued('q', 'a2'),
    kept,
    summary('S', 'B'),
    system('n', 'S'),
  ),
  'a note of the system beside a queued message': lines(...four, queued('q', 'a2'), system('n', 'a2')),
  'a note of the system far before a queued message': lines(...four, queued('q', 'a2'), system('n', 'u')),
  'an attachment beside a queued message': lines(...four, queued('q', 'a2'), attached('d', 'a2', { type: 'date' })),
  'an attachment beside a queued message, and a prompt': lines(
    ...four,
    queued('q', 'a2'),
    user('u3', 'a2'),
    attached('d', 'u2', { type: 'date' }),
  ),
  'a compaction whose uuid was used again': lines(...four, kept, user('B', 'a2')),
  'zeros before an entry': lines(...four).replaceAll('\n{', '\n\0\0\0{'),
  'a picture behind a document': lines(user('u', null, [{ type: 'document' }, { type: 'image' }])),
  'a picture for the model alone': lines(user('u', null, [{ type: 'image' }], { isMeta: true })),
  'a picture beside a result': lines(user('u', null, [{ type: 'tool_result', tool_use_id: 'x' }, { type: 'image' }])),
  'the history of a file before a subagent': lines(
    { type: 'file-history-snapshot', snapshot: {} },
    user('u', null, 'x', { isSidechain: true }),
  ),
  'a tag that does not begin with its type': lines(...four, { tag: 'one', type: 'tag' }, system('s', 'a2')),
};
