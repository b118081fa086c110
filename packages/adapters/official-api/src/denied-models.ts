import type { DeniedModelsMatch } from './types/resolved-settings.ts';

/** Names of whole families, as entries. */
const families = ['sonnet', 'opus', 'haiku', 'fable'];
/** Names that stand for another model in each release. */
const shifting = ['default', 'best', 'opusplan'];

const regions = 'us|eu|apac|global|jp|au|us-gov';
/** A version: one or two digits after the first number are the second number. */
const version = String.raw`(?<major>\d{1,2})(?:-(?<minor>\d{1,2})|(?!-\d{1,2}(?!\d)))`;
const rest = String.raw`(?<rest>(?:[-@]\S*)?)`;
/** `claude-opus-4-8…`, and the older `claude-4-8-opus…`, after a path and what a cloud puts before the name. */
const forms = [`(?<family>[a-z]+)-${version}`, `${version}-(?<family>[a-z]+)`].map(
  (form) => new RegExp(`^(?:(?:(?:${regions})\\.)?anthropic\\.)?claude-${form}${rest}$`),
);
/** The suffix of a snapshot, or of a way to run a model. */
const snapshot = /^(?:-latest|-fast)?(?:(?:[-@]\d{8})?(?:-v\d+(?::\d+)?)?|-v\d+(?::\d+)?@\d{8})$/;
const sizeTag = /\[\d+m\]/g;

interface VersionedName {
  readonly family: string;
  readonly major: number;
  /** Absent: all of them as an entry, 0 as a model. */
  readonly minor: number | undefined;
  /** What follows, with the sign that separates it. */
  readonly rest: string;
}

interface Entry {
  readonly matches: (model: string) => boolean;
  readonly note?: string | undefined;
}

/**
 * Which of these models a list denies, by their names alone: that of a model whose name stands for another is left to
 * the agent. Never throws; what cannot be read is noted and denies nothing.
 */
export async function matchDeniedModels(
  models: readonly string[],
  deniedModels: readonly string[] | undefined,
): Promise<DeniedModelsMatch> {
  const warnings = new Set<string>();
  const entries = itemsOf(deniedModels, 'deniedModels', warnings).flatMap((item) => {
    const entry = typeof item === 'string' ? entryOf(item) : { note: notText(item, 'deniedModels') };
    if (entry.note !== undefined) warnings.add(entry.note);
    return 'matches' in entry ? [entry] : [];
  });
  const denied = itemsOf(models ?? 0, 'models', warnings).map((model) => {
    if (typeof model !== 'string') warnings.add(notText(model, 'models'));
    return typeof model === 'string' && entries.some(({ matches }) => matches(plain(model)));
  });
  return { denied, warnings: [...warnings] };
}

function itemsOf(list: unknown, name: string, warnings: Set<string>): readonly unknown[] {
  if (Array.isArray(list)) return list;
  if (list !== undefined && list !== null)
    warnings.add(`\`${name}\` is no list of model names, so nothing is matched.`);
  return [];
}

const notText = (item: unknown, list: string): string =>
  `\`${list}\` holds a value that is no model name (${item === null ? 'null' : typeof item}); it is ignored.`;

const plain = (name: string): string => name.trim().toLowerCase().replaceAll(sizeTag, '');

function entryOf(given: string): Entry | { readonly note: string } {
  const name = plain(given).trim();
  const shown = JSON.stringify(given.length > 120 ? `${given.slice(0, 120)}…` : given);
  const sizes = sizeTag.test(given.toLowerCase()) ? ' A size such as [1m] makes no difference.' : '';
  sizeTag.lastIndex = 0;
  if (name === '') return { note: 'An empty entry of `deniedModels` is ignored.' };
  if (shifting.includes(name))
    return { note: `${shown} is ignored: it is another model in each release. Name the model itself.` };
  if (families.includes(name)) {
    const family = new RegExp(`(?<![a-z0-9])${name}(?![a-z0-9])`);
    return {
      matches: (model) => family.test(model),
      note: sizes === '' ? undefined : `${shown} denies all models of ${name}.${sizes}`,
    };
  }
  const versioned = versionedName(name) ?? (name.startsWith('claude-') ? undefined : versionedName(`claude-${name}`));
  if (versioned !== undefined) return versionedEntry(versioned, shown, sizes);
  const dotted = /^(?:claude-)?(?:[a-z]+-\d+\.\d+|\d+\.\d+-[a-z]+)(?:-|$)/.test(name)
    ? ' Versions are written with a hyphen, such as 4-8.'
    : '';
  return { matches: (model) => model === name, note: `${shown} denies only the model of exactly this name.${dotted}` };
}

function versionedEntry(entry: VersionedName, shown: string, sizes: string): Entry {
  const isSnapshot = entry.rest !== '' && snapshot.test(entry.rest);
  const wanted = isSnapshot ? { ...entry, rest: '' } : entry;
  const suffix = isSnapshot ? ` ${JSON.stringify(entry.rest)} makes no difference.` : '';
  const title = `${entry.family} ${entry.major}${entry.minor === undefined ? '.x' : `.${entry.minor}`}`;
  const note = suffix + sizes === '' ? undefined : `${shown} denies every model ${title}.${suffix}${sizes}`;
  return { matches: (model) => covers(wanted, versionedName(model)), note };
}

function covers(entry: VersionedName, model: VersionedName | undefined): boolean {
  if (model === undefined || model.family !== entry.family || model.major !== entry.major) return false;
  if (entry.minor !== undefined && entry.minor !== (model.minor ?? 0)) return false;
  return entry.rest === '' || model.rest === entry.rest || /^[-@]/.test(afterPrefix(model.rest, entry.rest));
}

const afterPrefix = (text: string, prefix: string): string =>
  text.startsWith(prefix) ? text.slice(prefix.length) : '';

function versionedName(name: string): VersionedName | undefined {
  const base = name.slice(name.lastIndexOf('/') + 1).trim();
  const found = forms.map((form) => form.exec(base)?.groups).find((groups) => groups !== undefined);
  if (found === undefined) return undefined;
  const { family = '', major, minor, rest: after = '' } = found;
  return { family, major: Number(major), minor: minor === undefined ? undefined : Number(minor), rest: after };
}
