import { readFile } from 'node:fs/promises';
import * as module from 'node:module';
import { hasCode } from '@hexagent/checks';

export interface PageFile {
  readonly type: string;
  readonly body: Uint8Array | string;
}

const scripts = 'text/javascript; charset=utf-8';
const assets: Readonly<Record<string, string>> = {
  '/': 'text/html; charset=utf-8',
  '/page/icon.svg': 'image/svg+xml',
  '/page/style.css': 'text/css; charset=utf-8',
};

/** Sources are served as they are, without a build: in this repository, and in no published package. */
const isSource = import.meta.url.endsWith('.ts');

/** The page is a few files beside this one. `undefined` for any other path. */
export async function pageFile(path: string): Promise<PageFile | undefined> {
  const type = assets[path];
  // Style and document are the same in `src` and beside what is built.
  if (type !== undefined)
    return {
      type,
      body: await readFile(new URL(`../src${path === '/' ? '/page/index.html' : path}`, import.meta.url)),
    };
  try {
    return await scriptFile(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined; // the error has the folder of the package, and a request for a file needs no token
    throw error;
  }
}

async function scriptFile(path: string): Promise<PageFile | undefined> {
  if (isSource) return await sourceFile(path);
  if (!/^\/(?:page|chunks)\/[\w-]+\.js$/.test(path)) return undefined;
  return { type: scripts, body: await readFile(new URL(`.${path}`, import.meta.url)) };
}

async function sourceFile(path: string): Promise<PageFile | undefined> {
  const named = path === '/page/main.js' ? '/page/main.ts' : path;
  if (!/^\/(?:page|fold)\/[\w-]+\.ts$/.test(named)) return undefined;
  const text = await readFile(new URL(`.${named}`, import.meta.url), 'utf8');
  return { type: scripts, body: stripTypes(text) };
}

/** Not in the oldest Node that published packages run on, whose types are the ones here. */
function stripTypes(text: string): string {
  // A later Node has it.
  const { stripTypeScriptTypes } = module as typeof module & { stripTypeScriptTypes?: (code: string) => string };
  if (stripTypeScriptTypes === undefined) throw new Error('The sources of the page need Node 22.13 or later.');
  return stripTypeScriptTypes(text);
}
