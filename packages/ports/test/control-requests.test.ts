import { describe, expectTypeOf, it } from 'vitest';
import type { Channel, Conversation, McpServerStatus } from '@hexagent/ports';

type Request = Channel['request'];

/** Never called: the compiler judges what is inside. */
function judged(_: (ask: Request, untyped: Channel['requestUntyped']) => void): void {}

describe('The requests to the agent', () => {
  it('have fields and answers that depend on the subtype', () => {
    judged((ask) => {
      expectTypeOf(ask('set_model', { model: 'opus' })).resolves.toEqualTypeOf<{ readonly model: string }>();
      expectTypeOf(ask('mcp_status')).resolves.toEqualTypeOf<{ readonly mcpServers: readonly McpServerStatus[] }>();
      expectTypeOf(ask('stop_task', { task_id: 't' })).resolves.toEqualTypeOf<Readonly<Record<string, unknown>>>();
      expectTypeOf(ask('initialize', { title: 'A title' })).resolves.toHaveProperty('claude_code_version');
    });
  });

  it('may leave out the fields where none is required, and only there', () => {
    judged((ask) => {
      void ask('interrupt');
      void ask('interrupt', {}, { timeoutMs: 1 });
      // @ts-expect-error -- a mode is required
      void ask('set_permission_mode');
      // @ts-expect-error -- this one takes no field at all
      void ask('get_settings', { detail: 'full' });
    });
  });

  it('refuse an unknown subtype, field or value', () => {
    judged((ask) => {
      // @ts-expect-error -- no such subtype
      void ask('mcp_statuss');
      // @ts-expect-error -- no such field
      void ask('stop_task', { taskId: 't' });
      // @ts-expect-error -- no such mode
      void ask('set_permission_mode', { mode: 'ask' });
    });
  });

  it('take anything through the untyped door', () => {
    judged((_, untyped) => {
      expectTypeOf(untyped('of_a_newer_agent', { any: 1 })).resolves.toEqualTypeOf<Readonly<Record<string, unknown>>>();
    });
  });

  it('are the same for a channel and a conversation', () => {
    expectTypeOf<Conversation['control']>().toEqualTypeOf<Request>();
    expectTypeOf<Conversation['controlUntyped']>().toEqualTypeOf<Channel['requestUntyped']>();
  });
});
