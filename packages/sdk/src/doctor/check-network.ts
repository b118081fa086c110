import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hasCode } from '@hexagent/checks';
import type { Machine } from './machine.ts';
import { fail, joined, ok, warn, type Finding } from './report.ts';

const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()]);

/** An address without a name and a password; `undefined` for what is not an address of the web. */
export function plainAddress(value: string): string | undefined {
  if (!URL.canParse(value)) return undefined;
  const { protocol, host } = new URL(value);
  return /^https?:$/.test(protocol) && host !== '' ? `${protocol}//${host}` : undefined;
}

/** Values are not shown: one that cannot be read may hold a password. */
export function checkProxy({ env }: Machine): Finding {
  const set = proxies.filter((name) => env[name]);
  const wrong = set.filter((name) => plainAddress(env[name] ?? '') === undefined);
  const problems = wrong.map((name) =>
    fail(`${name} is not an address with http:// or https://.`, `Give ${name} the form http://host:port, or unset it.`),
  );
  if (problems.length > 0) return joined(problems, ok(''));
  if (set.length === 0) return ok('No proxy.');
  return ok(`${set.map((name) => `${name} ${plainAddress(env[name] ?? '') ?? ''}`).join(', ')}.`);
}

export async function checkTls({ env, own }: Machine): Promise<Finding> {
  const files = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'].filter((name) => env[name]);
  const off = [env, own].some((variables) => variables['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    ? warn(
        'NODE_TLS_REJECT_UNAUTHORIZED=0 switches the check of certificates off.',
        'Unset it, and name the authority of your network in NODE_EXTRA_CA_CERTS.',
      )
    : undefined;
  const problems = await Promise.all(files.map(async (name) => await certificateProblem(name, env[name] ?? '')));
  const named = files.map((name) => `${name} ${env[name]}`).join(', ');
  return joined([off, ...problems], ok(named === '' ? 'The authorities that come with the CLI.' : `${named}.`));
}

async function certificateProblem(name: string, path: string): Promise<Finding | undefined> {
  const remedy = `Let ${name} name a file in the form PEM, or unset it.`;
  let text: string;
  try {
    text = await readFile(path, 'latin1');
  } catch (error) {
    const reason = hasCode(error, 'ENOENT') ? 'does not exist' : 'cannot be read';
    return fail(`${name} names ${path}, which ${reason}.`, remedy);
  }
  const blocks =
    text.match(/-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^-]*-----END (?:TRUSTED )?CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) return fail(`${name} names ${path}, which has no certificate in the form PEM.`, remedy);
  try {
    const ends = blocks.map((block) => Date.parse(new X509Certificate(block).validTo));
    if (ends.some((end) => end > Date.now())) return undefined;
    return warn(`Every certificate in ${path} (${name}) has expired.`, `Let ${name} name newer ones.`);
  } catch {
    return fail(`${name} names ${path}, in which a certificate is damaged.`, remedy);
  }
}
