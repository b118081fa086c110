// What goes into a package's JavaScript beside its own sources, and what must stay off its load path.
// Everything else stays an import, and must then be in `dependencies` or `peerDependencies`.
import { isBuiltin } from 'node:module';

/** Third-party code a package may carry, from its `devDependencies`. The dependency rule reads this table too. */
export const carried = {
  '@hexagent/sdk': ['tsyringe'],
};

/**
 * Only the door for chats needs these. It loads them as the packages that they are: carried, they would share code with the
 * other doors, which would load it.
 */
const partsOfChat = new Set(
  ['approvals', 'host-files', 'hosting', 'http-chat', 'ui-stream'].map((name) => `@hexagent/${name}`),
);

/**
 * The facade carries its parts too, and so loads as few files. They are in its `dependencies` all the same, for their
 * types and for those who swap one. `instanceof` holds for the errors of both copies of `ports`. A door that needs another
 * imports it by the name of the package: what both carried would be loaded by all doors.
 */
export const facade = '@hexagent/sdk';
const isPartOfFacade = (name) => name.startsWith('@hexagent/') && name !== facade && !partsOfChat.has(name);

/** What two files of the facade have in common, in one chunk: a file more costs half a millisecond of an import. */
export const sharedOfFacade = { name: 'shared', minShareCount: 2 };

/** Tens of milliseconds each: the facade may fetch them by a dynamic import, never on the way to `query()`. */
const heavy = [
  /^@modelcontextprotocol\/sdk/,
  /^zod$/,
  /[\\/]zod[\\/]v4[\\/]classic[\\/]/,
  /[\\/]@modelcontextprotocol[\\/]sdk[\\/]/,
];

/** `@scope/name/sub/path` and `name/sub/path` without the subpath. */
const packageOf = (specifier) => specifier.match(/^(?:@[^/]+\/)?[^/]+/)?.[0] ?? specifier;

/** What the installer brings along with this package. */
const installedWith = (manifest) => ({ ...manifest.dependencies, ...manifest.peerDependencies });

/**
 * Decides whether a bare import in a module becomes part of `bundled`'s output. The importing module's own
 * manifest counts, for an inlined package brings along what it inlines itself, and a third-party one everything.
 */
export function isInlined(specifier, { bundled, importer, thirdParty }) {
  if (isBuiltin(specifier)) return false;
  if (thirdParty) return true;
  const name = packageOf(specifier);
  return carried[importer.name]?.includes(name) || (bundled.name === facade && isPartOfFacade(name));
}

/** What is wrong with the emitted chunks: an import that nobody installs, or a heavy one on the load path. */
export function complaintsAbout(manifest, chunks) {
  const own = new Set(chunks.map(({ fileName }) => fileName));
  const foreign = (specifiers) => specifiers.filter((name) => !own.has(name) && !isBuiltin(name));
  const undeclared = chunks
    .flatMap(({ imports, dynamicImports }) => foreign([...imports, ...dynamicImports]))
    .filter((name) => packageOf(name) !== manifest.name && !(packageOf(name) in installedWith(manifest)))
    .map((name) => `imports ${name}, which is in neither dependencies nor peerDependencies`);
  const atStart = manifest.name === facade ? loadedAtStart(chunks) : [];
  const tooEarly = atStart
    .flatMap(({ imports, moduleIds }) => [...foreign(imports), ...moduleIds])
    .filter((name) => heavy.some((pattern) => pattern.test(name)))
    .map((name) => `loads ${name} before anybody asked for it`);
  return [...new Set([...undeclared, ...tooEarly])];
}

/** The entries and what they import statically, however deep. */
function loadedAtStart(chunks) {
  const reached = new Set(chunks.filter(({ isEntry }) => isEntry));
  for (const { imports } of reached) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) reached.add(chunk);
  }
  return [...reached];
}

/** Fetched when one of their functions is first called. The one loads the network, which takes a quarter of the whole import. */
const fetchedLate = new Set(['node:child_process', 'node:os']);

/**
 * A bundle that Node loads faster, and that does the same. An `import` of a built-in module makes Node read each of its
 * exports, which loads streams, web crypto and more that nobody asked for. And a text of ASCII alone takes half of the
 * memory, since one character outside of it makes V8 keep two bytes for each.
 */
export function lightened(code) {
  const direct = code.replace(/^import (?:\* as )?(\w+|\{[^}]*\}) from "(node:[^"]+)";$/gm, (_, names, name) =>
    fetchedLate.has(name) ? lateFunctions(names, name) : `const ${names.replaceAll(' as ', ': ')} = ${fetched(name)};`,
  );
  const raw = /String\.raw`[^`]*[^\p{ASCII}`][^`]*`/u.exec(direct);
  if (raw !== null) throw new Error(`A raw text cannot be written in ASCII: ${raw[0].slice(0, 80)}`);
  return direct.replace(/[^\p{ASCII}]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** The file of a third party as `name/file`: where it is installed differs from clone to clone. */
export const withoutPathsOfStore = (code) => code.replace(/^\/\/(#region)? \S*\/node_modules\/(\S+)$/gm, '//$1 $2');

const fetched = (name) => `process.getBuiltinModule("${name}")`;

function lateFunctions(names, name) {
  if (!names.startsWith('{')) throw new Error(`${name} is fetched late, so its functions must be imported by name.`);
  return names
    .slice(1, -1)
    .split(',')
    .map((entry) => {
      const [imported, local = imported] = entry.trim().split(' as ');
      return `const ${local} = (...args) => ${fetched(name)}.${imported}(...args);`;
    })
    .join(' ');
}
