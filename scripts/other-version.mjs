// For test workers: every import of a package yields the version of it in a folder: `--import other-version.mjs?PACKAGE=FOLDER`.
// The packages promise to work with more versions than the one that they are developed with, and `pnpm canary` compares
// with another version of the official package.
import { registerHooks } from 'node:module';
import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [[name, folder]] = new URL(import.meta.url).searchParams;
const installed = new RegExp(`^.*/node_modules/${name}/`);
const other = `${pathToFileURL(realpathSync(folder)).href}/`;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return { ...found, url: found.url.replace(installed, other) };
  },
});
