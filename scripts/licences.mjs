// The licences of other people's code that a bundle carries: shipping the code obliges us to ship them.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { isThirdParty, packageFolder, readJson } from './workspace.mjs';

const isLegalText = (name) => /^(licen[cs]e|copying|notice|copyright)/i.test(name);

/** One text for the third-party packages that these modules come from; empty when there are none. */
export function licencesOf(moduleIds) {
  const folders = new Set(moduleIds.filter(isThirdParty).map(packageFolder));
  return [...folders].toSorted().map(entry).join('\n');
}

function entry(folder) {
  const { name, version, license } = readJson(path.join(folder, 'package.json'));
  const texts = readdirSync(folder).filter(isLegalText).toSorted();
  if (texts.length === 0) throw new Error(`${name} is inlined but ships no licence text.`);
  const body = texts.map((file) => readFileSync(path.join(folder, file), 'utf8').trim()).join('\n\n');
  return `${name} ${version} (${license})\n\n${body}\n`;
}
