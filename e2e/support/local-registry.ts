// A package registry on the loopback, so that package managers install what was packed a moment ago as from npm.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, realpathSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Registry {
  readonly url: string;
  close(): Promise<void>;
}

interface Packed {
  readonly file: string;
  readonly manifest: { readonly name: string; readonly version: string };
}

/** The folder of a third-party package of the workspace. */
export const installed = (name: string): string =>
  realpathSync(fileURLToPath(new URL(`../../packages/adapters/mcp-sdk-server/node_modules/${name}`, import.meta.url)));

/** Packs a folder as `npm pack` does, and returns the file. */
export function pack(source: string, folder: string): string {
  const staging = join(folder, 'packing', basename(source));
  const tarball = join(folder, `${basename(source)}.tgz`);
  cpSync(source, join(staging, 'package'), { recursive: true });
  execFileSync('tar', ['-czf', tarball, '-C', staging, 'package']);
  return tarball;
}

/** Serves packages of one version each, from files as `npm pack` makes them, and no others. It runs until it is closed. */
export async function startRegistry(tarballs: readonly string[]): Promise<Registry> {
  const packages = tarballs.map((file) => ({ file, manifest: manifestIn(file) }));
  const byName = new Map(packages.map((one) => [`/${one.manifest.name}`, one]));
  const byFile = new Map(tarballs.map((file) => [`/files/${basename(file)}`, file]));
  const server = createServer(({ url = '', headers }, response) => {
    const file = byFile.get(url);
    const found = byName.get(decodeURIComponent(url));
    response.statusCode = file === undefined && found === undefined ? 404 : 200;
    if (file !== undefined) response.end(readFileSync(file));
    else response.end(JSON.stringify(found ? documentOf(found, `http://${headers.host}`) : { error: 'not found' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}/`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function manifestIn(tarball: string): Packed['manifest'] {
  const args = ['-xzOf', basename(tarball), 'package/package.json'];
  return JSON.parse(execFileSync('tar', args, { cwd: dirname(tarball), encoding: 'utf8' })) as Packed['manifest'];
}

function documentOf({ manifest, file }: Packed, origin: string): object {
  const { name, version } = manifest;
  const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  const dist = { integrity, tarball: `${origin}/files/${basename(file)}` };
  // Package managers may refuse packages that are not a few days old.
  const time = { created: '2020-01-01T00:00:00.000Z', [version]: '2020-01-01T00:00:00.000Z' };
  return { name, 'dist-tags': { latest: version }, time, versions: { [version]: { ...manifest, dist } } };
}
