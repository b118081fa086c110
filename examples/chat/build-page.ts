import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** Builds the page into a folder, in about a second. With `isScript` it says that no model answers, and shows no cost. */
export async function buildPage(folder: string, { isScript }: { readonly isScript: boolean }): Promise<void> {
  const root = fileURLToPath(new URL('.', import.meta.url));
  await build({
    root,
    configFile: fileURLToPath(new URL('vite.config.ts', import.meta.url)),
    define: { 'import.meta.env.VITE_IS_SCRIPT': JSON.stringify(isScript ? 'yes' : 'no') },
    build: { outDir: folder, emptyOutDir: true, chunkSizeWarningLimit: 1000, reportCompressedSize: false },
  });
}
