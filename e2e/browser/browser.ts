import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from 'playwright-core';
import { describe } from 'vitest';

const cache = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url));
const { devDependencies } = createRequire(import.meta.url)('../package.json') as {
  devDependencies: Record<string, string>;
};
/** Of each version its own. */
const folder = path.join(cache, `chromium-${devDependencies['@sparticuz/chromium']}`);

/** The fonts that come with it, before those of this machine: pages look nearly the same everywhere. */
const fontsConfig = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${path.join(folder, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${path.join(folder, 'fonts-cache')}</cachedir>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
</fontconfig>
`;

/** Unpacked once, into a folder that exists only when it is complete. */
async function unpack(): Promise<string> {
  const executable = path.join(folder, 'chromium');
  if (existsSync(executable)) return executable;
  await mkdir(cache, { recursive: true });
  const staging = await mkdtemp(path.join(cache, 'unpacking-'));
  const tmp = process.env['TMPDIR'];
  try {
    process.env['TMPDIR'] = staging; // where it unpacks
    const { default: packed } = await import('@sparticuz/chromium');
    await packed.executablePath();
    await writeFile(path.join(staging, 'fonts.conf'), fontsConfig);
    await rename(staging, folder).catch(() => {}); // another test file was first
  } finally {
    if (tmp === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = tmp;
    await rm(staging, { recursive: true, force: true });
  }
  return executable;
}

/** What this machine lacks to run the browser. */
function missing(executable: string): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'The packed Chromium is one for Linux on x64.';
  const { stdout } = spawnSync('ldd', [executable], { encoding: 'utf8' });
  const libraries = (stdout ?? '')
    .split('\n')
    .filter((line) => line.includes('not found'))
    .map((line) => line.trim().split(' ')[0]);
  if (libraries.length === 0) return undefined;
  return `Chromium needs ${libraries.join(', ')}: on Debian, apt-get install libnss3 libnspr4 libexpat1.`;
}

const executable = process.platform === 'linux' && process.arch === 'x64' ? await unpack() : '';
const lacks = missing(executable);
if (lacks !== undefined && process.env['CI'] === 'true') throw new Error(lacks);
if (lacks !== undefined) console.warn(`Tests in a browser are skipped. ${lacks}`);

/** A `describe` whose tests need a browser: skipped where this machine cannot run it, and in CI a failure. */
export const withBrowser: typeof describe.skip | typeof describe = lacks === undefined ? describe : describe.skip;

/** A real Chromium that reaches this machine only. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: executable,
    env: { PATH: process.env['PATH'] ?? '', FONTCONFIG_FILE: path.join(folder, 'fonts.conf'), HOME: folder },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--font-render-hinting=none',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
}
