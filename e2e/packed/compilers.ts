import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Compiler {
  readonly version: string;
  /** A script for Node. */
  readonly tsc: string;
}

/** The oldest that is promised, the last of 5, 6, and the one of this workspace. */
export const compilers: readonly Compiler[] = ['typescript-57', 'typescript-59', 'typescript-6', 'typescript'].map(
  (name) => {
    const manifest = import.meta.resolve(`${name}/package.json`);
    const { version } = JSON.parse(readFileSync(new URL(manifest), 'utf8')) as { readonly version: string };
    return { version, tsc: fileURLToPath(new URL('bin/tsc', manifest)) };
  },
);

/** What a compiler is asked, as a program that hides no error of its libraries asks it. */
export function compiling({ tsc }: Compiler, ...files: readonly string[]): readonly string[] {
  const options = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--module', 'nodenext', '--target', 'es2023'];
  const lib = ['--lib', 'es2023,esnext.disposable'];
  const typeRoots = fileURLToPath(new URL('../../packages/sdk/node_modules/@types', import.meta.url));
  return [tsc, ...options, ...lib, '--types', 'node', '--typeRoots', typeRoots, ...files];
}
