// Builds the package it is started in: `tsc -b` for the types (and the check), rolldown for the JavaScript.
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { complaintsAbout, facade, isInlined, nodeCheck } from './bundling.mjs';
import { licencesOf } from './licences.mjs';
import { isThirdParty, packageFolder, readJson, run, toolPath } from './workspace.mjs';

/** `{ 'contracts/index': '/…/src/contracts/index.ts' }`: one per export that has a source and a JavaScript, named like its source, and per command. */
export function entriesOf(dir, manifest) {
  const exported = Object.values(manifest.exports)
    .filter((target) => target['@hexagent/source'] && target.default)
    .map((target) => target['@hexagent/source']);
  const commands = Object.values(manifest.publishConfig?.bin ?? {}).map((file) =>
    file.replace('/dist/', '/src/').replace(/\.js$/, '.ts'),
  );
  return Object.fromEntries(
    [...exported, ...commands].map((source) => [
      path.posix.relative('src', source).replace(/\.ts$/, ''),
      path.join(dir, source),
    ]),
  );
}

/** Bundles one package into its `dist`, replacing what an earlier bundle left there. */
export async function bundle(dir) {
  const manifest = readJson(path.join(dir, 'package.json'));
  const isFacade = manifest.name === facade;
  const ofDropIn = new Set();
  const bundler = await rolldown({
    input: entriesOf(dir, manifest),
    cwd: dir,
    plugins: [
      {
        name: 'modules-of-the-drop-in',
        buildEnd() {
          addImports(path.join(dir, 'src/claude-agent-sdk.ts'), { graph: this, reached: ofDropIn });
        },
      },
    ],
    platform: 'node',
    external: isExternalTo(manifest),
    // Third parties in their most modern form: tsyringe's CommonJS drags in the whole of tslib.
    resolve: {
      mainFields: ['es2015', 'module', 'main'],
      conditionNames: ['@hexagent/source', 'import', 'module', 'node', 'default'],
    },
    transform: { target: 'es2023' },
    // Names the files of third parties otherwise, which lie elsewhere in each clone.
    experimental: { attachDebugInfo: 'none' },
  });
  const { output: chunks } = await bundler.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: chunkName,
    // What two files have in common is one chunk, or two, of which the drop-in needs the first: without them an import reads
    // six files, and takes two milliseconds more.
    codeSplitting: isFacade
      ? {
          groups: [
            { name: 'shared', minShareCount: 2, test: (id) => ofDropIn.has(id) },
            { name: 'shared-by-native', minShareCount: 2 },
          ],
        }
      : true,
    // A chunk that is loaded late finds the exports of the others by name, or not at all where they were updated meanwhile.
    minifyInternalExports: false,
    // The documentation is in the .d.ts files; here it would only be parsed at every start.
    comments: { legal: true, annotation: true, jsdoc: false },
    banner: ({ fileName }) => (isFacade && fileName === sharedByEntries ? nodeCheck(manifest) : ''),
  });
  await bundler.close();
  const complaints = complaintsAbout(manifest, chunks);
  if (complaints.length > 0) throw new Error(`${manifest.name}:\n  ${complaints.join('\n  ')}`);
  emit(path.join(dir, 'dist'), chunks);
}

/** A module and what it imports statically, however deep. */
function addImports(id, { graph, reached }) {
  if (reached.has(id)) return;
  reached.add(id);
  for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) addImports(imported, { graph, reached });
}

/** Imports none of the other chunks, so that it is loaded first. */
const sharedByEntries = 'chunks/shared.js';

/** No hash, so that a chunk has one place in the published package; and no two called `index` or `src`. */
function chunkName({ name, facadeModuleId }) {
  if (!facadeModuleId) return `chunks/${name}.js`;
  if (isThirdParty(facadeModuleId)) return `chunks/${name}.js`;
  const folder = packageFolder(facadeModuleId);
  const inside = path.relative(path.join(folder, 'src'), facadeModuleId).replace(/(\/?index)?\.ts$/, '');
  return `chunks/${[path.basename(folder), ...inside.split(path.sep)].filter(Boolean).join('-')}.js`;
}

function isExternalTo(bundled) {
  return (specifier, file) => {
    if (file === undefined || specifier.startsWith('.') || path.isAbsolute(specifier)) return false;
    const importer = readJson(path.join(packageFolder(file), 'package.json'));
    return !isInlined(specifier, { bundled, importer, thirdParty: isThirdParty(file) });
  };
}

function emit(dist, chunks) {
  for (const stale of globSync('**/*.js', { cwd: dist })) rmSync(path.join(dist, stale));
  const files = Object.fromEntries(chunks.map(({ fileName, code }) => [fileName, code]));
  const licences = licencesOf(chunks.flatMap(({ moduleIds }) => moduleIds));
  rmSync(path.join(dist, 'THIRD-PARTY-LICENSES'), { force: true });
  if (licences !== '') files['THIRD-PARTY-LICENSES'] = licences;
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(dist, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dir = process.cwd();
  if (!run(process.execPath, [toolPath('typescript', 'tsc'), '-b'], { cwd: dir })) process.exit(1);
  await bundle(dir);
}
