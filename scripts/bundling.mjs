// What goes into a package's JavaScript beside its own sources, and what must stay off its load path.
// The rule: `dependencies` and `peerDependencies` stay imports, `devDependencies` that the sources import are inlined.
// The table holds the exceptions.
import { isBuiltin } from 'node:module';

const table = {
  '@hexagent/sdk': {
    /**
     * Inlined although listed in `dependencies`, where they are for their types and for those who swap one:
     * the facade loads as one file. `ports` stays outside, so that a swapped part shares its errors and tokens.
     */
    inline: (name) => name.startsWith('@hexagent/') && name !== '@hexagent/ports',
    /** Tens of milliseconds each: a dynamic import may fetch them, the way to `query()` may not. */
    lazy: [/^@modelcontextprotocol\/sdk/, /^zod$/, /[\\/]zod[\\/]v4[\\/]classic[\\/]/, /[\\/]@modelcontextprotocol[\\/]sdk[\\/]/],
  },
};

const bundlingOf = (name) => table[name] ?? { inline: () => false, lazy: [] };

/** `@scope/name/sub/path` and `name/sub/path` without the subpath. */
const packageOf = (specifier) => specifier.match(/^(?:@[^/]+\/)?[^/]+/)?.[0] ?? specifier;

/** What the installer brings along with this package. */
const installedWith = (manifest) => ({ ...manifest.dependencies, ...manifest.peerDependencies });

/**
 * Says of a bare import in a module whether it becomes part of `bundled`'s output. The importing module's own
 * manifest counts, for an inlined package brings along what it inlines itself, and a third-party one everything.
 */
export function isInlined(specifier, { bundled, importer, thirdParty }) {
  if (isBuiltin(specifier)) return false;
  if (thirdParty) return true;
  const name = packageOf(specifier);
  const { devDependencies = {} } = importer;
  return bundlingOf(bundled.name).inline(name) || (name in devDependencies && !(name in installedWith(importer)));
}

/** What is wrong with the emitted chunks: an import that nobody installs, or a heavy one on the load path. */
export function complaintsAbout(manifest, chunks) {
  const { lazy } = bundlingOf(manifest.name);
  const own = new Set(chunks.map(({ fileName }) => fileName));
  const foreign = (specifiers) => specifiers.filter((name) => !own.has(name) && !isBuiltin(name));
  const undeclared = chunks
    .flatMap(({ imports, dynamicImports }) => foreign([...imports, ...dynamicImports]))
    .filter((name) => !(packageOf(name) in installedWith(manifest)))
    .map((name) => `imports ${name}, which is in neither dependencies nor peerDependencies`);
  const heavy = loadedAtStart(chunks)
    .flatMap(({ imports, moduleIds }) => [...foreign(imports), ...moduleIds])
    .filter((name) => lazy.some((pattern) => pattern.test(name)))
    .map((name) => `loads ${name} before anybody asked for it`);
  return [...new Set([...undeclared, ...heavy])];
}

/** The entries and what they import statically, however deep. */
function loadedAtStart(chunks) {
  const reached = new Set(chunks.filter(({ isEntry }) => isEntry));
  for (const { imports } of reached) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) reached.add(chunk);
  }
  return [...reached];
}
