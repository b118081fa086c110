// The licences of other people's code that a bundle carries: shipping the code obliges us to ship them.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { readJson } from './workspace.mjs';

const isLegalText = (name) => /^(licen[cs]e|copying|notice|copyright)/i.test(name);

/** One text for the third-party packages that these modules come from; empty when there are none. */
export function licencesOf(moduleIds) {
  const folders = new Set(moduleIds.filter((id) => /[\\/]node_modules[\\/]/.test(id)).map(packageFolder));
  return [...folders].toSorted().map(entry).join('\n');
}

/** The folder of the nearest manifest with a name: packages keep nameless ones to set `type`. */
function packageFolder(moduleId) {
  let folder = path.dirname(moduleId);
  while (!existsSync(path.join(folder, 'package.json')) || !readJson(path.join(folder, 'package.json')).version) {
    if (path.dirname(folder) === folder) throw new Error(`No package.json above ${moduleId}`);
    folder = path.dirname(folder);
  }
  return folder;
}

function entry(folder) {
  const { name, version, license } = readJson(path.join(folder, 'package.json'));
  const texts = readdirSync(folder).filter(isLegalText).toSorted();
  if (texts.length === 0) throw new Error(`${name} is inlined but ships no licence text.`);
  const body = texts.map((file) => readFileSync(path.join(folder, file), 'utf8').trim()).join('\n\n');
  return `${name} ${version} (${license})\n\n${body}\n`;
}
