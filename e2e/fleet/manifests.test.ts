import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { describe, expect, inject, it } from 'vitest';
import type { ServerAddress } from '../postgres/servers.ts';
import { cli, withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { kubernetes, programs, readme, root, variablesOf, workloads, type ManifestProgram } from './manifests.ts';

const [server] = inject('servers');

/** Those with a value that is good for everybody, or that another one replaces. */
const mayBeMissing: Readonly<Record<string, readonly string[]>> = { 'compose worker': ['FLEET_ADDRESS'] };

describe('The manifests of examples/fleet', () => {
  it('are those of a worker and a gateway each', () => {
    expect(programs.map(({ from }) => from).toSorted()).toEqual([
      'compose gateway',
      'compose worker',
      'k8s gateway',
      'k8s worker',
    ]);
  });

  it.each(programs)('set each variable that the program reads, and no other: $from', ({ from, command, env }) => {
    const program = command.at(-1) ?? '';
    expect(existsSync(path.join(root, program))).toBe(true);
    const others = program.endsWith('worker.ts') ? ['ANTHROPIC_API_KEY', 'POD_IP'] : [];
    const set = Object.keys(env).filter((name) => !others.includes(name));
    const read = variablesOf(program).filter((name) => !mayBeMissing[from]?.includes(name));
    expect(set.toSorted()).toEqual([...new Set(read)].toSorted());
    for (const name of variablesOf(program)) expect(readme).toMatch(new RegExp(`^\\| .*\`${name}\``, 'm'));
  });

  it.each(programs)('give it the time that it takes to end: $from', ({ command, graceSeconds }) => {
    expect(graceSeconds).toBeGreaterThan(command.at(-1)?.endsWith('worker.ts') === true ? 30 : 5);
  });

  it('publish the ports at which programs listen', () => {
    expect(
      programs.map(({ from, ports, env }) => [from, ports.join(), env['PORT'] ?? env['FLEET_ADDRESS'] ?? '']),
    ).toEqual(
      expect.arrayContaining([
        ['compose worker', '', ''],
        ['compose gateway', '3000', '3000'],
        ['k8s worker', '7070', 'https://$(POD_IP):7070'],
        ['k8s gateway', '3000', '3000'],
      ]),
    );
  });

  it('name secrets that the README makes', () => {
    const made = [...readme.matchAll(/--from-literal=([A-Z_]+)=/g)].map(([, name]) => name);
    const named = programs.flatMap(({ secrets }) => secrets);
    expect(new Set(made)).toEqual(new Set([...named, 'POSTGRES_PASSWORD']));
  });

  it('join what belongs together', () => {
    for (const { spec, metadata } of workloads) {
      const { template } = spec;
      expect(spec.selector).toEqual({ matchLabels: template.metadata.labels });
      const volumes = [
        ...(template.spec.volumes ?? []),
        ...(spec.volumeClaimTemplates ?? []).map((each) => each.metadata),
      ];
      for (const { volumeMounts = [], ports, readinessProbe } of template.spec.containers) {
        expect(volumes.map(({ name }) => name)).toEqual(volumeMounts.map(({ name }) => name));
        const probed = Object.values(readinessProbe).flatMap(({ port }) => port ?? []);
        expect(ports.map(({ name }) => name)).toEqual(expect.arrayContaining(probed));
      }
      const service = kubernetes.find((each) => each.kind === 'Service' && each.metadata.name === metadata.name);
      if (service === undefined) continue;
      expect(service.spec.selector).toEqual(template.metadata.labels);
      const ports = template.spec.containers.flatMap((each) => each.ports.map(({ containerPort }) => containerPort));
      expect(service.spec.ports?.map(({ targetPort }) => targetPort)).toEqual(ports);
    }
  });
});

/** What a platform and its operator fill in: secrets, addresses and hosts of this machine. */
function filled(value: string, given: Readonly<Record<string, string>>): string {
  return value.replaceAll(
    /\$\{(\w+)[^}]*\}|\$\((\w+)\)/g,
    (_, one: string, other: string) => given[one ?? other] ?? '',
  );
}

interface Started {
  readonly process: ChildProcess;
  readonly address: string;
}

async function start(
  { command, env, secrets }: ManifestProgram,
  given: Readonly<Record<string, string>>,
  base: Readonly<Record<string, string>>,
): Promise<Started> {
  const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value, given)]));
  const secret = Object.fromEntries(secrets.map((name) => [name, given[name] ?? '']));
  // The names and networks of the cluster are those of this machine here.
  const here = Object.fromEntries(
    ['DATABASE_URL', 'FLEET_RANGES', 'WORK_FOLDER', 'PORT', 'LISTEN'].flatMap((name) =>
      name in own && given[name] !== undefined ? [[name, given[name]]] : [],
    ),
  );
  const [file = '', ...args] = command;
  const child = spawn(file, args, {
    cwd: root,
    env: { ...base, ...own, ...secret, ...here },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const [address] = /https?:\S+/.exec(line) ?? [];
    if (address === undefined) continue;
    child.stdout.resume();
    return { process: child, address };
  }
  throw new Error(`${command.join(' ')} exited.`);
}

async function ended({ process }: Started): Promise<number | null> {
  const exited = once(process, 'exit');
  process.kill('SIGTERM');
  await exited;
  return process.exitCode;
}

async function databaseIn({ host, user }: ServerAddress, name: string): Promise<string> {
  const client = new Client({ host, user, database: 'postgres' });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}`;
}

describe.skipIf(server === undefined)('The commands of the manifests', () => {
  withCli('run as processes: those of', () => {
    it.each(['compose', 'k8s'])('%s', async (platform) => {
      await using scene = await stage(['It works.']);
      const [worker, gateway] = ['worker', 'gateway'].map((name) =>
        programs.find(({ from }) => from === `${platform} ${name}`),
      ) as [ManifestProgram, ManifestProgram]; // the first test
      const given = {
        DATABASE_URL: await databaseIn(server!, `of_${platform}`),
        FLEET_KEY: 'k'.repeat(32),
        FLEET_RANGES: '127.0.0.0/8',
        PAGE_TOKEN: 'a token of the page'.replaceAll(' ', '-'),
        POD_IP: '127.0.0.3',
        WORK_FOLDER: scene.home.cwd,
        PORT: '0',
        LISTEN: '127.0.0.1',
        ANTHROPIC_API_KEY: 'sk-loopback',
      };
      const base = { ...scene.env, CLAUDE_CODE_PATH: cli ?? '' };
      const started = await Promise.all([start(worker, given, base), start(gateway, given, base)]);
      const [, { address }] = started;
      try {
        expect((await fetch(`${address}/ready`)).status).toBe(200);
        const message = { id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text: 'Hello' }] };
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${given.PAGE_TOKEN}` };
        const body = JSON.stringify({ id: 'chat', message });
        expect(
          (await fetch(`${address}/api/chat`, { method: 'POST', headers: { ...headers, authorization: '' }, body }))
            .status,
        ).toBe(401);
        const answer = await fetch(`${address}/api/chat`, { method: 'POST', headers, body });
        expect(await answer.text()).toContain('It works.');
      } finally {
        expect(await Promise.all(started.map(ended))).toEqual([0, 0]);
      }
    });
  });
});
