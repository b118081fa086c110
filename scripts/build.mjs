// Builds the package it is started in: `tsc -b` for the types (and the check), rolldown for the JavaScript.
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { complaintsAbout, inlinedInto } from './bundling.mjs';
import { licencesOf } from './licences.mjs';
import { readJson, run, toolPath } from './workspace.mjs';

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
  const inlined = inlinedInto(manifest);
  const isBare = (specifier) => !specifier.startsWith('.') && !path.isAbsolute(specifier);
  const bundler = await rolldown({
    input: entriesOf(dir, manifest),
    cwd: dir,
    platform: 'node',
    external: (specifier) => isBare(specifier) && !inlined(specifier),
    resolve: { conditionNames: ['@hexagent/source', 'import', 'module', 'node', 'default'] },
    transform: { target: 'es2023' },
  });
  const { output } = await bundler.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    // No hash: a hashed name would leave the last build's chunk beside this one's.
    chunkFileNames: 'chunks/[name].js',
    sourcemap: false,
  });
  await bundler.close();
  const chunks = output.filter(({ type }) => type === 'chunk');
  const complaints = complaintsAbout(manifest, chunks);
  if (complaints.length > 0) throw new Error(`${manifest.name}:\n  ${complaints.join('\n  ')}`);
  emit(path.join(dir, 'dist'), chunks);
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
