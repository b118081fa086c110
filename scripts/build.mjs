// Builds the package it is started in: `tsc -b` for the types (and the check), rolldown for the JavaScript.
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { complaintsAbout, facade, isInlined, lightened, sharedOfFacade, withoutPathsOfStore } from './bundling.mjs';
import { licencesOf } from './licences.mjs';
import { shortening, withPrivateNames } from './shortened.mjs';
import { isThirdParty, packageFolder, readJson, run, toolPath } from './workspace.mjs';

/** `{ 'contracts/index': '/…/src/contracts/index.ts' }`: one per export that has a source and a JavaScript. */
export function entriesOf(dir, manifest) {
  return Object.fromEntries(
    Object.values(manifest.exports)
      .filter((target) => target['@hexagent/source'] && target.default)
      .map((target) => [
        path.posix.relative('dist', target.default).replace(/\.js$/, ''),
        path.join(dir, target['@hexagent/source']),
      ]),
  );
}

/** Bundles one package into its `dist`, replacing what an earlier bundle left there. */
export async function bundle(dir) {
  const manifest = readJson(path.join(dir, 'package.json'));
  const bundler = await rolldown({
    input: entriesOf(dir, manifest),
    cwd: dir,
    platform: 'node',
    external: isExternalTo(manifest),
    // Third parties in their most modern form: tsyringe's CommonJS drags in the whole of tslib.
    resolve: {
      mainFields: ['es2015', 'module', 'main'],
      conditionNames: ['@hexagent/source', 'import', 'module', 'node', 'default'],
    },
    transform: { target: 'es2023' },
  });
  const options = {
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: chunkName,
    sourcemap: false,
    codeSplitting: manifest.name === facade ? { groups: [sharedOfFacade] } : true,
    // A chunk that is loaded late finds the exports of the others by name, or not at all where they were updated meanwhile.
    minifyInternalExports: false,
    // The documentation is in the .d.ts files; here it would only be parsed at every start.
    comments: { legal: true, annotation: true, jsdoc: false },
  };
  const chunks = await chunksOf(bundler, options);
  const short = manifest.name === facade ? await chunksOf(bundler, { ...options, minify: shortening }) : [];
  await bundler.close();
  const complaints = complaintsAbout(manifest, chunks);
  if (complaints.length > 0) throw new Error(`${manifest.name}:\n  ${complaints.join('\n  ')}`);
  emit(path.join(dir, 'dist'), chunks, ({ fileName, code }) => {
    const shorter = short.find((chunk) => chunk.fileName === fileName);
    return withoutPathsOfStore(shorter === undefined ? code : lightened(withPrivateNames(shorter.code, code)));
  });
}

async function chunksOf(bundler, options) {
  const { output } = await bundler.generate(options);
  return output.filter(({ type }) => type === 'chunk');
}

/** No hash, so that a chunk has one place in the published package; and no two called `index` or `src`. */
function chunkName({ name, facadeModuleId }) {
  if (!facadeModuleId) return 'chunks/shared.js'; // named after any one of the modules in it otherwise
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

function emit(dist, chunks, finish) {
  for (const stale of globSync('**/*.js', { cwd: dist })) rmSync(path.join(dist, stale));
  const files = Object.fromEntries(chunks.map((chunk) => [chunk.fileName, finish(chunk)]));
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
