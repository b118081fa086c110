import { fileURLToPath } from 'node:url';
import { external, type ExternalServer } from '@hexagent/mcp-client';
import { createSdk, createSdkMcpServer, tool, toolResult, type Session, type SessionOptions } from '@hexagent/sdk';
import { z } from 'zod';
import type { Stage } from '../support/stage.ts';
import { published, type Servers } from './servers-of-others.ts';

const program = fileURLToPath(new URL('../fixtures/greeting-server.mjs', import.meta.url));

/** Dialled by the agent. */
export const greeter = { command: 'node', args: [program] };

export const secret = 'made-up-secret-of-a-test';
/** Dialled by this process, with a secret that its answers contain. */
export const greeting = (): ExternalServer =>
  external({ name: 'greeting', command: process.execPath, args: [program], env: { GREETING_SECRET: secret } });

export const everything = published('everything', 'stdio');

export const own = () =>
  createSdkMcpServer({
    name: 'own',
    tools: [
      tool('hi', 'd', {}, () => toolResult.text('hello')),
      tool('fail', 'd', {}, () => toolResult.error('out of ink')),
    ],
  });

export const open = (place: Stage, servers: Servers, more: SessionOptions = {}): Promise<Session> =>
  createSdk({ onWarning: () => {} }).openSession({ ...place.options, tools: [servers], ...more });

const add = tool('add', 'Adds two numbers.', { a: z.number(), b: z.number() }, async ({ a, b }) => ({
  content: [{ type: 'text', text: `${a + b}` }],
}));
export const calculator = createSdkMcpServer({ name: 'calculator', version: '1.0.0', tools: [add] });
