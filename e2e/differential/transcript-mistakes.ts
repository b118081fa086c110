import type { Chance } from '../support/chance.ts';
import { uuidOf } from './stored-places.ts';
import { fieldNames, oddValues, pick, texts, uuidsOf, type Fields } from './transcript-values.ts';

const oddTimes = [
  '2023-11-14T22:13:21.000Z',
  '2023-11-14T22:13:20.500Z',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00.000Z',
  '2023',
];

/** Makes one mistake in a transcript: in its links, its times, its fields or what is in a message. */
export function makeMistake(entries: Fields[], chance: Chance): void {
  if (entries.length === 0) return;
  const [place, other] = [chance.below(entries.length), chance.below(entries.length)];
  const [entry, another] = [entries[place], entries[other]];
  const uuid = entry?.['uuid'];
  if (entry === undefined || another === undefined || typeof uuid !== 'string') return;
  const set = (name: string, value: unknown): void => void (entries[place] = { ...entry, [name]: value });
  switch (chance.below(16)) {
    case 0:
      return keepsLinks(entries) || other >= place ? undefined : set('parentUuid', another['uuid']);
    case 2:
      return keepsLinks(entries)
        ? undefined
        : set('parentUuid', pick(chance, [null, uuidOf('none'), undefined] as unknown[]));
    case 3:
      return keepsLinks(entries) ? undefined : set('uuid', another['uuid']);
    case 4:
      return keepsLinks(entries) ? undefined : void entries.splice(place, 1);
    case 5:
      return keepsLinks(entries) ? undefined : void entries.splice(other, 0, entry);
    case 6:
      return keepsLinks(entries) ? undefined : void entries.splice(other, 0, ...entries.splice(place, 1));
    case 7:
      return set(pick(chance, fieldNames), pick(chance, [...oddValues, undefined] as unknown[]));
    case 9:
      return set('timestamp', pick(chance, oddTimes));
    case 10:
      return JSON.stringify(entry).includes('"tool_')
        ? undefined
        : set('type', pick(chance, ['user', 'assistant', 'system', 'attachment', 'progress', 'weird']));
    case 11:
      return JSON.stringify(entry).includes('"tool_') ? undefined : set('isSidechain', true);
    case 12:
      return makeMistakeWithin(entries, place, chance);
    case 13:
      return keepsLinks(entries) ? undefined : set('uuid', uuid.toUpperCase());
    case 14:
      return keepsLinks(entries) ? undefined : set('uuid', pick(chance, ['x', '\ud800', 'é', 'a"b', uuidOf('none')]));
    case 15:
      return set(pick(chance, fieldNames), another[pick(chance, fieldNames)]);
  }
}

/** Whether other links make an order that is ours on purpose: of reports of progress, and of older notes of a compaction. */
function keepsLinks(entries: readonly Fields[]): boolean {
  return entries.some(
    ({ type, compactMetadata }) =>
      type === 'progress' || JSON.stringify(compactMetadata ?? '').includes('preservedSegment'),
  );
}

/** Something wrong with a message, its pieces, an attachment or the note of a compaction. */
function makeMistakeWithin(entries: Fields[], place: number, chance: Chance): void {
  const copy: Fields = structuredClone(entries[place] ?? {});
  const holders: Fields[] = [];
  const gather = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    holders.push(value as Fields);
    Object.values(value).forEach(gather);
  };
  [copy['message'], copy['attachment']].forEach(gather);
  if (holders.length === 0) return;
  const holder = pick(chance, holders);
  const keys = Object.keys(holder).filter((key) => key !== 'tool_use_id');
  if (keys.length === 0) return;
  const key = pick(chance, keys);
  if (chance.percent(20)) delete holder[key];
  else holder[key] = pick(chance, [...oddValues, ...uuidsOf(entries).slice(0, 3), ...texts] as unknown[]);
  entries[place] = copy;
}
