// A package registry on the loopback, so that package managers install what was packed a moment ago as from npm.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

/**
 * Serves packages of one version each, and no others. It runs until it is closed.
 * @param tarballs files as `npm pack` makes them
 */
export async function startRegistry(tarballs) {
  const packages = tarballs.map((file) => ({ file, manifest: manifestIn(file) }));
  const byName = new Map(packages.map((one) => [one.manifest.name, one]));
  const byFile = new Map(tarballs.map((file) => [`/files/${path.basename(file)}`, file]));
  const answerTo = ({ url, headers }) => {
    const file = byFile.get(url);
    if (file !== undefined) return { body: readFileSync(file) };
    const found = byName.get(decodeURIComponent(url.slice(1)));
    if (found === undefined) return { status: 404, body: '{"error":"not found"}' };
    return { body: JSON.stringify(documentOf(found, `http://${headers.host}`)) };
  };
  const server = createServer((request, response) => {
    const { status = 200, body } = answerTo(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function manifestIn(tarball) {
  const options = { cwd: path.dirname(tarball), encoding: 'utf8' };
  return JSON.parse(execFileSync('tar', ['-xzOf', path.basename(tarball), 'package/package.json'], options));
}

function documentOf({ manifest, file }, origin) {
  const { name, version } = manifest;
  const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  const dist = { integrity, tarball: `${origin}/files/${path.basename(file)}` };
  // Package managers may refuse what is not a few days old.
  const time = { created: '2020-01-01T00:00:00.000Z', [version]: '2020-01-01T00:00:00.000Z' };
  return { name, 'dist-tags': { latest: version }, time, versions: { [version]: { ...manifest, dist } } };
}
