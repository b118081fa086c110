import { matchesGlob, plainName, segmentGlob, type Glob } from './glob.ts';

/*
 * Patterns of paths are those of `.gitignore`, as the CLI reads them: `//etc/**` from the root, `~/x` from the home, `/x`
 * from the working directory, and `x` or `./x` anywhere below it. A folder covers what is in it. Case does not count, and neither does how
 * an accent is written: there are systems on which both name the same file.
 * Links are not followed: only the CLI sees the disk.
 */

/** The content of a rule such as `Read(//etc/**)`. */
export interface PathPattern {
  readonly from: 'root' | 'home' | 'folder';
  readonly segments: readonly Segment[];
  /** Whether it may begin in any folder below. With a slash in its middle it need not. */
  readonly floats: 'never' | 'maybe' | 'always';
}

type Segment = Glob | 'any number';

type Names = readonly string[];

/** The folders at which relative paths and patterns begin; without any, they may begin anywhere. */
export interface Places {
  readonly folders: readonly Names[];
  readonly home: Names | undefined;
}

export function placesOf(folder: string | undefined, home: string | undefined): Places {
  return alsoFrom({ folders: [], home: home === undefined ? undefined : segmentsOf(home) }, folder);
}

/** The same, and another folder. */
export function alsoFrom(places: Places, folder: string | undefined): Places {
  if (folder === undefined) return places;
  const names = segmentsOf(folder);
  const isKnown = places.folders.some((known) => known.length === names.length && startsWith(names, known));
  return isKnown ? places : { ...places, folders: [...places.folders, names] };
}

function startsWith(names: Names, begin: Names): boolean {
  return begin.every((name, index) => names[index] === name);
}

/** `undefined` for a content that is not a pattern of paths. */
export function pathPattern(content: string): PathPattern | undefined {
  if (content.trim() !== content || content.startsWith('!') || content.endsWith(':*')) return undefined;
  const [from, kept] = beginningOf(content);
  const names = kept.split('/').filter((name) => name !== '' && name !== '.');
  if (names.length === 0 || names.includes('..')) return undefined;
  const segments = names.map((name) => (name === '**' ? ('any number' as const) : segmentGlob(name)));
  return {
    from,
    floats: from !== 'folder' || kept.startsWith('/') ? 'never' : names.length > 1 ? 'maybe' : 'always',
    segments: names.at(-1) === '**' ? segments.slice(0, -1) : segments,
  };
}

function beginningOf(content: string): readonly [PathPattern['from'], string] {
  const text = content.replaceAll('\\', '/');
  if (text.startsWith('//')) return ['root', text];
  if (/^[A-Za-z]:\//.test(text)) return ['root', text.replace(':', '')];
  if (text === '~' || text.startsWith('~/')) return ['home', text.slice(1)];
  return ['folder', text];
}

/** The names of each path that is meant: a relative one may begin in any of the folders, and systems read some differently. */
export function pathsOf(path: string, places: Places): readonly Names[] {
  return [...readingsOf(path)].flatMap((text) => pathsFrom(text, places));
}

/**
 * Windows takes a backslash for a slash, and drops dots and spaces at the end of a name and what is behind its colon.
 * Elsewhere they are parts of the name.
 */
function readingsOf(path: string): ReadonlySet<string> {
  const text = path.replaceAll('\\', '/');
  const names = text.replace(/^\/\/[?.]\//, '').split('/');
  const kept = names.map((name) =>
    /^(?:\.*|[A-Za-z]:)$/.test(name) ? name : name.replace(/:.*$/s, '').replace(/[. ]+$/, ''),
  );
  return new Set([text, kept.join('/'), ...(path.startsWith('/') ? [path] : [])]);
}

/** Whether the path is in one of the folders, or is one of them. */
export function isInFolders(path: string, places: Places): boolean {
  return pathsOf(path, places).every((names) => places.folders.some((folder) => startsWith(names, folder)));
}

function pathsFrom(text: string, { folders, home }: Places): readonly Names[] {
  if (text.startsWith('/')) return [normalized(text.split('/'))];
  if (/^[A-Za-z]:\//.test(text)) return [segmentsOf(text)];
  if (text === '~' || text.startsWith('~/')) return [[...(home ?? []), ...segmentsOf(text.slice(1))]];
  return folders.length === 0
    ? [segmentsOf(text)]
    : folders.map((folder) => normalized([...folder, ...text.split('/')]));
}

/** Whether the pattern may cover one of the paths. Where it is unknown in which folder it begins, that may be any. */
export function mayCoverPath(pattern: PathPattern, paths: readonly Names[], places: Places): boolean {
  const known = beginningsOf(pattern, places);
  const floats = pattern.floats !== 'never';
  return paths.some((path) =>
    known.length === 0 ? anywhere(pattern, path) : known.some((begin) => isBelow(pattern, path, { begin, floats })),
  );
}

/** Whether the pattern covers all of the paths, wherever it begins. */
export function surelyCoversPath(pattern: PathPattern, paths: readonly Names[], places: Places): boolean {
  const known = beginningsOf(pattern, places);
  const floats = pattern.floats === 'always';
  if (known.length === 0 || paths.length === 0) return false;
  return paths.every((path) => known.every((begin) => isBelow(pattern, path, { begin, floats })));
}

function beginningsOf({ from }: PathPattern, { folders, home }: Places): readonly Names[] {
  if (from === 'root') return [[]];
  if (from === 'home') return home === undefined ? [] : [home];
  return folders;
}

function isBelow(
  pattern: PathPattern,
  path: Names,
  { begin, floats }: { readonly begin: Names; readonly floats: boolean },
): boolean {
  if (!startsWith(path, begin)) return false;
  const rest = path.slice(begin.length);
  return floats ? anywhere(pattern, rest) : begins(pattern.segments, rest);
}

/** The names of a path in lower case, composed, without `.` and `..`. */
function segmentsOf(path: string): Names {
  const text = path.replaceAll('\\', '/').replace(/^([A-Za-z]):\//, '$1/');
  return normalized(text.split('/'));
}

function normalized(parts: readonly string[]): Names {
  const names: string[] = [];
  for (const name of parts) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(plainName(name));
  }
  return names;
}

function anywhere({ segments }: PathPattern, names: Names): boolean {
  return begins(['any number', ...segments], names);
}

/** Whether the names begin with those of the pattern: what is below a folder is covered by it. */
function begins(segments: readonly Segment[], names: Names): boolean {
  if (!segments.includes('any number'))
    return segments.every(
      (segment, at) => segment !== 'any number' && at < names.length && matchesGlob(segment, names[at] ?? ''),
    );
  let reached: ReadonlySet<number> = new Set([0]);
  for (const segment of segments) {
    const next = new Set<number>();
    for (const at of reached) {
      if (segment === 'any number') for (let skipped = at; skipped <= names.length; skipped += 1) next.add(skipped);
      else if (at < names.length && matchesGlob(segment, names[at] ?? '')) next.add(at + 1);
    }
    if (next.size === 0) return false;
    reached = next;
  }
  return true;
}
