import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult as OfficialResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { z as mini } from 'zod/mini';
import { z as three } from 'zod/v3';
import {
  createSdkMcpServer,
  hostServer,
  tool,
  type CallToolResult,
  type SdkMcpToolDefinition,
  type ToolExtra,
} from '../src/index.ts';
import { text } from './client.ts';

const result = (): CallToolResult => text('');

describe('The arguments of a handler', () => {
  it('are inferred from a shape of zod, after defaults and transforms', () => {
    const shape = {
      a: z.number(),
      b: z.string().optional(),
      c: z.number().default(1),
      d: z.string().transform((d) => d.length),
      e: z.enum(['x', 'y']),
    };
    tool('t', 'd', shape, (args) => {
      expectTypeOf(args).toEqualTypeOf<{ a: number; b: string | undefined; c: number; d: number; e: 'x' | 'y' }>();
      return result();
    });
  });

  it('are inferred from an object of zod, from zod/mini, and from an empty shape', () => {
    tool('t', 'd', z.object({ a: z.number(), b: z.string().optional() }), (args) => {
      expectTypeOf(args).toEqualTypeOf<{ a: number; b?: string | undefined }>();
      return result();
    });
    tool('t', 'd', { a: mini.optional(mini.string()) }, (args) => {
      expectTypeOf(args.a).toEqualTypeOf<string | undefined>();
      return result();
    });
    tool('t', 'd', {}, (args) => {
      expectTypeOf(args).toEqualTypeOf<{}>();
      return result();
    });
  });

  it('are inferred from zod 3', () => {
    tool('t', 'd', { a: three.number().default(1), b: three.string().transform(Number) }, (args) => {
      expectTypeOf(args).toEqualTypeOf<{ a: number; b: number }>();
      return result();
    });
    tool('t', 'd', three.object({ a: three.number() }), (args) => {
      expectTypeOf(args).toEqualTypeOf<{ a: number }>();
      return result();
    });
  });

  it('are open for a JSON Schema', () => {
    tool('t', 'd', { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, (args, extra) => {
      expectTypeOf(args).toEqualTypeOf<Readonly<Record<string, unknown>>>();
      expectTypeOf(extra).toEqualTypeOf<ToolExtra>();
      return result();
    });
  });

  it('are checked against a handler that was written elsewhere', () => {
    const handler = (_: { a: string }): CallToolResult => result();
    tool('t', 'd', { a: z.string() }, handler);
    // @ts-expect-error -- the schema gives a number
    tool('t', 'd', { a: z.number() }, handler);
    // @ts-expect-error -- a handler answers with content
    tool('t', 'd', {}, () => 'done');
    // @ts-expect-error -- a field needs a schema
    tool('t', 'd', { a: 'string' }, result);
  });
});

describe('A program written for the official package', () => {
  it("may answer with the MCP SDK's own result type and take `extra` as unknown", () => {
    const handler = async (_: { a: number }, _extra: unknown): Promise<OfficialResult> => ({
      content: [{ type: 'text', text: '' }],
    });
    const typed: SdkMcpToolDefinition<{ a: z.ZodNumber }> = tool('t', 'd', { a: z.number() }, handler);
    createSdkMcpServer({ name: 's', tools: [typed, tool('u', 'd', {}, result)] });
    const literal = { name: 'v', description: 'd', inputSchema: { a: z.number() }, handler };
    createSdkMcpServer({ name: 's', tools: [literal] });
  });

  it('may use `instance` as a real McpServer', () => {
    expectTypeOf<ReturnType<typeof createSdkMcpServer>['instance']>().toEqualTypeOf<McpServer>();
  });

  it('may hand in a real McpServer', () => {
    hostServer({ type: 'sdk', name: 's', instance: new McpServer({ name: 's', version: '1' }) });
  });
});
