// The versions of TypeScript that the published types are shown to compile under, with `skipLibCheck` off.
import { createRequire } from 'node:module';
import path from 'node:path';
import { readJson, root } from './workspace.mjs';

/** The oldest that is promised, the last of 5, 6, and the one of this workspace; by the folders that have them. */
const installed = [
  ['e2e', 'typescript-57'],
  ['e2e', 'typescript-59'],
  ['.', 'typescript-6'],
  ['.', 'typescript'],
];

/** `[{ version, tsc }]`; `tsc` is a script for Node. */
export function compilers() {
  return installed.map(([folder, name]) => {
    const manifest = createRequire(path.join(root, folder, 'package.json')).resolve(`${name}/package.json`);
    const { version, bin } = readJson(manifest);
    return { version, tsc: path.join(path.dirname(manifest), bin.tsc) };
  });
}

/** What a compiler is asked, as a program that hides no error of its libraries asks it. */
export function compiling({ tsc }, ...files) {
  const options = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--module', 'nodenext', '--target', 'es2023'];
  const lib = ['--lib', 'es2023,esnext.disposable'];
  const types = ['--types', 'node', '--typeRoots', path.join(root, 'packages/sdk/node_modules/@types')];
  return [tsc, ...options, ...lib, ...types, ...files];
}
