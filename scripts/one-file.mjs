// Makes a tarball that installs without a registry: what a package needs of ours lies inside it, reached by relative paths.
// `bundleDependencies` would be shorter, and only npm and pnpm heed it: Yarn and Bun ask a registry for what is bundled.
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import ts from 'typescript-6';
import { readJson } from './workspace.mjs';

/**
 * Lays the package `name` and everything of ours that it needs into a new folder: `{ folder, manifest }`.
 * @param tarballs `[{ name, file }]`, as `packAll` makes them: every package of ours
 */
export function layOneFile(name, tarballs) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hexagent-one-file-'));
  try {
    const files = new Map(tarballs.map((tarball) => [tarball.name, tarball.file]));
    const packages = new Map([[name, unpack(files.get(name), folder)]]);
    for (const { manifest } of packages.values())
      for (const part of Object.keys(manifest.dependencies ?? {}))
        if (files.has(part) && !packages.has(part))
          packages.set(part, unpack(files.get(part), path.join(folder, 'parts', path.basename(part))));
    for (const file of globSync('**/*.{js,mjs,ts}', { cwd: folder })) writeRelative(path.join(folder, file), packages);
    // Sources are for editors, which show those of the package itself.
    for (const own of globSync('parts/*/{src,package.json,README.md,LICENSE,dist/**/*.map}', { cwd: folder }))
      rmSync(path.join(folder, own), { recursive: true });
    // A command of a part is one of the file, and states the version of that part.
    for (const { folder: part, manifest } of packages.values())
      if (manifest.bin && part !== folder) {
        const { name, version, type } = manifest;
        writeFileSync(path.join(part, 'package.json'), JSON.stringify({ name, version, type }));
      }
    const manifest = joinedManifest(packages.get(name).manifest, packages);
    writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    return { folder, manifest };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function unpack(tarball, folder) {
  mkdirSync(folder, { recursive: true });
  const where = ['-C', folder, '--strip-components=1'];
  execFileSync('tar', ['-xzf', path.basename(tarball), ...where], { cwd: path.dirname(tarball) });
  return { folder, manifest: readJson(path.join(folder, 'package.json')) };
}

/** Replaces each specifier of a package in here by the path to its file. Comments keep the names. */
function writeRelative(file, packages) {
  const text = readFileSync(file, 'utf8');
  if (!text.includes('@hexagent/')) return;
  let rewritten = text;
  for (const { fileName, pos } of ts.preProcessFile(text, true, true).importedFiles.toReversed()) {
    const target = targetOf(fileName, packages, file.endsWith('.ts'));
    if (target === undefined) continue;
    const relative = path.relative(path.dirname(file), target).split(path.sep).join('/');
    const [start, end] = [pos + 1, pos + 1 + fileName.length]; // `pos` is that of the quotation mark
    rewritten = `${rewritten.slice(0, start)}${relative.replace(/^(?!\.)/, './')}${rewritten.slice(end)}`;
  }
  if (rewritten !== text) writeFileSync(file, rewritten);
}

/** The file that a specifier leads to, in the form that an import names it; undefined for what is not a package in here. */
function targetOf(specifier, packages, isTyped) {
  const [, name, subpath] = /^(@[^/]+\/[^/]+)(.*)$/.exec(specifier) ?? [];
  const found = packages.get(name);
  if (found === undefined) return undefined;
  const { types, default: program } = found.manifest.exports[`.${subpath}`];
  return path.join(found.folder, isTyped ? types.replace(/\.d\.ts$/, '.js') : program);
}

function commandsOf(packages) {
  const [{ folder: root }] = packages.values();
  const commands = [...packages.values()].flatMap(({ folder, manifest }) =>
    Object.entries(manifest.bin ?? {}).map(([name, file]) => [
      name,
      path.posix.join(path.relative(root, folder), file),
    ]),
  );
  return Object.fromEntries(commands);
}

/** Without the dependencies that are inside, and with the third-party ones of those. */
function joinedManifest(own, packages) {
  const isInside = (name) => packages.has(name);
  const manifest = { ...own, files: [...own.files, 'parts'], bin: commandsOf(packages) };
  for (const key of ['dependencies', 'peerDependencies', 'peerDependenciesMeta', 'optionalDependencies']) {
    const all = [...packages.values()].toReversed().map((one) => one.manifest[key]);
    manifest[key] = Object.fromEntries(
      Object.entries(Object.assign({}, ...all)).filter(
        ([name]) =>
          // What the package itself asks for stays as it is there.
          !isInside(name) && (name in (own[key] ?? {}) || !(name in { ...own.dependencies, ...own.peerDependencies })),
      ),
    );
  }
  return manifest;
}
