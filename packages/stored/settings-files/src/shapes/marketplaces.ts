import { isRecord } from '@hexagent/checks';
import { object, record, recordOfReadable } from './objects.ts';
import {
  type Fields,
  flag,
  lenient,
  list,
  matching,
  number,
  type Shape,
  someText,
  text,
  unreadable,
  url,
  oneOf,
  either,
} from './shape.ts';

const headers = record(text);
const repository = { ref: text, path: text, sparsePaths: list(text), skipLfs: flag };

const commit = { ref: text, sha: matching(/^[0-9a-f]{40}$/) };

/** One of several forms, by the word in `source`. */
const bySource =
  (forms: { readonly [source: string]: Shape }): Shape =>
  (value, author) => {
    const source = isRecord(value) ? value['source'] : undefined;
    const form = typeof source === 'string' && Object.hasOwn(forms, source) ? forms[source] : undefined;
    return form === undefined ? unreadable : form(value, author);
  };

const from = (source: string, fields: { readonly [name: string]: Shape }, needs: readonly string[] = []): Shape =>
  object({ source: oneOf(source), ...fields }, { needs });

const npmPackage = (name: Shape): Shape =>
  from('npm', { package: name, version: text, registry: url('http:', 'https:') }, ['package']);
const pluginSource = bySource({
  npm: npmPackage(text),
  url: from('url', { url: text, ...commit }, ['url']),
  github: from('github', { repo: text, ...commit }, ['repo']),
  'git-subdir': from('git-subdir', { url: text, path: someText, ...commit }, ['url', 'path']),
  archive: from('archive', { url: url('https:'), sha256: text }, ['url']),
  command: from('command', { command: someText, timeout: number({ above: 0 }), mode: oneOf('copy', 'link') }, [
    'command',
  ]),
});

const listedPlugin = object(
  {
    name: matching(/^\S+$/),
    source: either(matching(/^\.\//), pluginSource),
    description: text,
    version: text,
    strict: flag,
    headers,
    headersHelper: text,
  },
  { needs: ['name', 'source'] },
);

const marketplaceForms: Fields = {
  url: from('url', { url: url(), headers, headersHelper: text }, ['url']),
  github: from('github', { repo: text, ...repository }, ['repo']),
  git: from('git', { url: text, ...repository }, ['url']),
  npm: npmPackage(matching(/^\S+$/)),
  file: from('file', { path: text }, ['path']),
  directory: from('directory', { path: text }, ['path']),
  'skills-dir': from('skills-dir', {}),
  hostPattern: from('hostPattern', { hostPattern: text }, ['hostPattern']),
  pathPattern: from('pathPattern', { pathPattern: text }, ['pathPattern']),
  settings: from(
    'settings',
    {
      name: matching(/^[^\s]+$/),
      plugins: list(listedPlugin),
      owner: object({ name: someText, email: text, url: text }, { needs: ['name'] }),
    },
    ['name', 'plugins'],
  ),
};

export const marketplace: Shape = bySource(marketplaceForms);

const known = object(
  {
    source: marketplace,
    installLocation: text,
    autoUpdate: flag,
    pluginDigests: lenient(record(either(list(text), () => []))),
  },
  { needs: ['source'] },
);

/** An unknown kind is of a newer version; then the whole list is ignored. */
export const knownMarketplaces: Shape = (value, author) =>
  isRecord(value) && Object.values(value).some(isOfUnknownKind) ? unreadable : recordOfReadable(known)(value, author);

function isOfUnknownKind(value: unknown): boolean {
  const source = isRecord(value) && isRecord(value['source']) ? value['source']['source'] : undefined;
  return typeof source === 'string' && !Object.hasOwn(marketplaceForms, source);
}
