// For test workers: every import of the MCP SDK yields the version of it that the end of the address names, one of the
// devDependencies of `e2e`. The packages promise to work with more versions than the one that they are developed with.
import { registerHooks } from 'node:module';
import { realpathSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const name = new URL(import.meta.url).search.slice(1);
const folder = realpathSync(fileURLToPath(new URL(`../e2e/node_modules/${name}`, import.meta.url)));
const installed = /^.*\/node_modules\/@modelcontextprotocol\/sdk\/(?=dist\/)/;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return { ...found, url: found.url.replace(installed, `${pathToFileURL(folder).href}/`) };
  },
});
