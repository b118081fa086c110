import { readFile } from 'node:fs/promises';
import { toolResults, toolUse, type ModelRequest } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { withCli } from '../support/cli.ts';
import { runReal } from './real.ts';
import type { Program, Side } from './run.ts';

const page = new URL('../../docs/differences.md', import.meta.url);

withCli('The messages of a query with an in-process tool', () => {
  async function* prompts() {
    for (const content of ['one', 'two'])
      yield {
        type: 'user' as const,
        message: { role: 'user' as const, content },
        parent_tool_use_id: null,
      };
  }

  const program: Program = ({ query, createSdkMcpServer, tool }, { options }) => {
    const add = tool('add', 'Adds one.', { a: z.number() }, async ({ a }) => ({
      content: [{ type: 'text', text: String(a + 1) }],
    }));
    const calc = createSdkMcpServer({ name: 'calc', tools: [add], alwaysLoad: true });
    return query({
      prompt: prompts(),
      options: { ...options, mcpServers: { calc }, allowedTools: ['mcp__calc'], includePartialMessages: true },
    });
  };

  /** The fields of all messages of a kind, and the schema of the tool that the model was sent. */
  async function runOn(side: Side) {
    let schema: unknown;
    const { messages } = await runReal(side, program, (request: ModelRequest) => {
      schema ??= request.body.tools?.find(({ name }) => name === 'mcp__calc__add')?.['input_schema'];
      return toolResults(request).length === 0 ? toolUse('mcp__calc__add', { a: 1 }) : 'Done.';
    });
    const fields = new Set(
      messages.flatMap((message) => Object.keys(message).map((field) => `${String(message['type'])}.${field}`)),
    );
    return { fields, schema };
  }

  it('have the fields that the page of differences names, and no others, beside the official ones', async () => {
    const [official, ours] = [await runOn('official'), await runOn('ours')];
    const added = [...ours.fields].filter((field) => !official.fields.has(field));
    expect([...official.fields].filter((field) => !ours.fields.has(field))).toEqual([]);
    expect(added.toSorted()).toEqual([
      'assistant.user_message_uuid',
      'assistant.user_message_uuids',
      'result.first_request_cache_read_input_tokens',
      'result.first_request_input_tokens',
      'result.request_sent_wall_ms',
      'result.user_message_uuid',
      'result.user_message_uuids',
      'stream_event.owed_rows',
      'stream_event.user_message_uuid',
      'stream_event.user_message_uuids',
      'system.user_message_uuids',
    ]);
    const listed = await readFile(page, 'utf8');
    for (const field of added) expect(listed).toContain(field.slice(field.indexOf('.') + 1));
  });

  it('hold the dialect of a schema in the official package, and not here', async () => {
    const [official, ours] = [await runOn('official'), await runOn('ours')];
    expect(official.schema).toHaveProperty('$schema');
    expect({ ...(official.schema as object), $schema: undefined }).toEqual({ ...(ours.schema as object) });
    expect(await readFile(page, 'utf8')).toContain('`$schema`');
  });
});
