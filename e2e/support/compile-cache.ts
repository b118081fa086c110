import { fileURLToPath } from 'node:url';

/** For the environment of a program that runs from sources: Node strips their types once, and not at each start. */
export const compileCache = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)),
} as const;
