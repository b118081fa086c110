import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { run } from './run.ts';

const { nodes, project, env } = inject('packed');
const options = { cwd: project, env: { ...env, CLAUDE_CODE_PATH: cli, ANTHROPIC_API_KEY: 'key' } };
const command = join(project, 'node_modules/.bin/hexagent');

withCli('The command that npm installs', () => {
  it.each(nodes)('examines the machine on Node $version', async ({ executable, version }) => {
    const report = JSON.parse(await run(executable, [command, 'doctor', '--json'], options));
    expect(report).toMatchObject({ ok: true });
    expect(report.checks[0]).toEqual({ name: 'node', status: 'ok', found: version });
  });

  it('runs a command by the model of the testing package', async () => {
    const print = ['-p', 'new URL(process.env.ANTHROPIC_BASE_URL).hostname'];
    expect(await run(command, ['offline', '--', process.execPath, ...print], options)).toBe('127.0.0.1\n');
  });

  it.each(nodes)('serves the page of the inspector on Node $version', async ({ executable }) => {
    const tape = join(project, 'run.tape');
    writeFileSync(tape, '{"tape":1,"started":"2026-11-20T10:00:00.000Z"}\n');
    const child = spawn(executable, [command, 'inspect', tape], { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const [printed]: readonly unknown[] = await once(child.stdout.setEncoding('utf8'), 'data');
      const [url = ''] = String(printed).split('#');
      const texts = ['', 'page/main.js', 'page/style.css'].map(async (path) => (await fetch(url + path)).text());
      const [page, script, style] = await Promise.all(texts);
      expect(page).toContain('<script type="module" src="/page/main.js">');
      // One file: a browser finds no other.
      expect(script).not.toMatch(/^import|import\(/mu);
      expect(style).toContain('.frames {');
    } finally {
      child.kill('SIGINT');
      expect(await once(child, 'exit')).toEqual([0, null]);
    }
  });

  it('tries tests with the official package and with ours', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hexagent-tried-'));
    const names = ['@anthropic-ai/claude-agent-sdk', '@hexagent/claude-agent-sdk'];
    const [official = '', ours = ''] = names.map((name) => join(folder, 'node_modules', name));
    for (const place of [official, ours]) mkdirSync(dirname(place), { recursive: true });
    symlinkSync(realpathSync(fileURLToPath(new URL(`../node_modules/${names[0]}`, import.meta.url))), official);
    symlinkSync(join(project, 'node_modules', names[1] ?? ''), ours);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const test = `import { query, HOOK_EVENTS } from '${names[0]}'; import { it } from 'node:test';
      for (const event of HOOK_EVENTS) it(event, () => { if (typeof query !== 'function') throw new Error(); });`;
    writeFileSync(join(folder, 'any.test.js'), test);
    const tried = ['try', '--', process.execPath, '--test', '--test-reporter=tap'];
    const printed = await run(command, tried, { ...options, cwd: folder });
    rmSync(folder, { recursive: true });
    const [first, second] = [...printed.matchAll(/^(@\S+) \S+ +([1-9]\d*) +0 +0 +0$/gmu)];
    expect([first?.[1], second?.[1]]).toEqual(names);
    expect(second?.[2]).toBe(first?.[2]);
  });
});
