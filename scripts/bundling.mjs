// What goes into a package's JavaScript beside its own sources, and what must stay off its load path.
// Everything else stays an import, and must then be in `dependencies` or `peerDependencies`.
import { isBuiltin } from 'node:module';

/** Third-party code a package may carry, from its `devDependencies`. The dependency rule reads this table too. */
export const carried = {
  '@hexagent/commands': ['unbash'],
  '@hexagent/sdk': ['tsyringe'],
};

/**
 * The facade carries its parts too, and so loads as few files. They are in its `dependencies` all the same, for their
 * types and for those who swap one. `instanceof` holds for the errors of both copies of `ports`.
 */
export const facade = '@hexagent/sdk';
const isPartOfFacade = (name) => name.startsWith('@hexagent/');

/** Tens of milliseconds each: the facade may fetch them by a dynamic import, never on the way to `query()`. */
const heavy = /^(?:@modelcontextprotocol\/sdk\b|zod$)/;

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

/** What is wrong with the emitted chunks: an import that is not installed, or a heavy one on the load path. */
export function complaintsAbout(manifest, chunks) {
  const own = new Set(chunks.map(({ fileName }) => fileName));
  const foreign = (specifiers) => specifiers.filter((name) => !own.has(name) && !isBuiltin(name));
  const undeclared = chunks
    .flatMap(({ imports, dynamicImports }) => foreign([...imports, ...dynamicImports]))
    .filter((name) => packageOf(name) !== manifest.name && !(packageOf(name) in installedWith(manifest)))
    .map((name) => `imports ${name}, which is in neither dependencies nor peerDependencies`);
  const atStart = manifest.name === facade ? loadedAtStart(chunks) : [];
  const tooEarly = atStart
    .flatMap(({ imports }) => foreign(imports).filter((name) => heavy.test(name)))
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

/** Stands before the code that is loaded first: an older Node fails with a message that names no version. */
export function nodeCheck({ name }) {
  const message = `${name} needs Node 20.19, 22.13 or later, this is `;
  return `if (!process.getBuiltinModule) throw new Error(${JSON.stringify(message)} + process.versions.node + ".");`;
}
