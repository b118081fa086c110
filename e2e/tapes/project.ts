import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Makes the packages with which programs use tapes importable in a folder. */
export function linkPackages(folder: string): void {
  const modules = path.join(folder, 'node_modules/@hexagent');
  mkdirSync(modules, { recursive: true });
  for (const name of ['sdk', 'adapters/tapes'])
    symlinkSync(
      fileURLToPath(new URL(`../../packages/${name}`, import.meta.url)),
      path.join(modules, path.basename(name)),
    );
}
