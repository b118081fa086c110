import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as root from '@hexagent/claude-agent-sdk';
import * as bridge from '@hexagent/claude-agent-sdk/bridge';
import * as browser from '@hexagent/claude-agent-sdk/browser';
import * as core from '@hexagent/claude-agent-sdk/core';
import * as extract from '@hexagent/claude-agent-sdk/extract';
import type { BashInput, ToolInputSchemas } from '@hexagent/claude-agent-sdk/sdk-tools';
import * as dropIn from '@hexagent/sdk/claude-agent-sdk';
import { linkedTransport, scriptedAgent } from '@hexagent/testing';

type Callable = (...given: readonly unknown[]) => unknown;

const built = ['createSdkMcpServer', 'tool'];

function leftOutOf(entry: object): readonly [string, Callable][] {
  return Object.entries(entry).filter(([name, value]) => typeof value === 'function' && !built.includes(name));
}

describe('The package', () => {
  it('has the entries of the official one, and its manifest', () => {
    const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    const entries = ['.', './core', './browser', './bridge', './extract', './sdk-tools', './sdk-tools.js'];
    expect(Object.keys(exports)).toEqual([...entries, './package.json']);
  });

  it('has the version and the peers of the official one, and its entry the name of theirs', () => {
    expect(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))).toMatchObject({
      version: '0.3.328',
      peerDependencies: { '@anthropic-ai/sdk': '>=0.93.0', '@modelcontextprotocol/sdk': '^1.29.0', zod: '^4.0.0' },
      exports: { '.': { default: './sdk.mjs' } },
    });
  });

  it('brings the CLI along for every system that has one, in one version', () => {
    const { optionalDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(Object.keys(optionalDependencies)).toHaveLength(8);
    expect(new Set(Object.values(optionalDependencies))).toEqual(new Set(['0.3.328']));
    // The facade brings the same: one CLI is installed, whatever a program installs.
    const facade = JSON.parse(readFileSync(new URL('../../sdk/package.json', import.meta.url), 'utf8'));
    expect(facade.optionalDependencies).toEqual(optionalDependencies);
  });
});

describe('The root and the core', () => {
  it('are the drop-in of the facade', () => {
    expect({ ...root }).toEqual({ ...dropIn });
    for (const [name, value] of Object.entries(core)) expect(Reflect.get(dropIn, name)).toBe(value);
  });

  it('run a query', async () => {
    const { transport } = linkedTransport(scriptedAgent({ turns: () => 'hello' }));
    const types: string[] = [];
    for await (const { type } of core.query({ prompt: 'hi', options: { transport } })) types.push(type);
    expect(types).toEqual(['system', 'assistant', 'result']);
  });
});

describe('An entry that is left out', () => {
  it.each([
    ['browser', browser, 8, '`query()` on a server'],
    ['bridge', bridge, 6, 'the official package under a second name'],
    ['extract', extract, 1, '`pathToClaudeCodeExecutable`'],
  ] as const)('loads, and names what to use instead when it is called: %s', async (_name, entry, count, instead) => {
    const functions = leftOutOf(entry);
    expect(functions).toHaveLength(count);
    for (const [name, call] of functions) {
      const message: unknown = expect.stringMatching(`^\`${name}\\(\\)\`.*${RegExp.escape(instead)}`);
      await expect((async () => await call())(), name).rejects.toMatchObject({ code: 'NOT_OFFERED', message });
    }
  });

  it('has the tools of a program all the same', () => {
    const server = browser.createSdkMcpServer({
      name: 'own',
      tools: [browser.tool('look', 'Looks', {}, () => ({ content: [] }))],
    });
    expect(server).toMatchObject({ type: 'sdk', name: 'own' });
  });
});

describe('The types of tools', () => {
  it('describe what a tool takes', () => {
    const input: BashInput = { command: 'ls', timeout: 1000 };
    const any: ToolInputSchemas = input;
    expect(any).toBe(input);
  });
});
