import { readFile } from 'node:fs/promises';
import { toolResults, toolUse, type ModelRequest } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { withCli } from '../support/cli.ts';
import { runReal } from './real.ts';
import type { Program } from './run.ts';

const page = new URL('../../docs/differences.md', import.meta.url);

const asking =
  (schema: Record<string, unknown>): Program =>
  ({ query }, { options }) =>
    query({ prompt: 'go', options: { ...options, outputFormat: { type: 'json_schema', schema } } });

const answering = (request: ModelRequest) =>
  toolResults(request).length === 0 ? toolUse('StructuredOutput', { total: 80 }) : 'Done.';

const invoice = z.object({ total: z.number() });

withCli('A schema for the output that zod made', () => {
  it('gives a value in draft 07, in both', async () => {
    const program = asking(z.toJSONSchema(invoice, { target: 'draft-7' }));
    for (const side of ['official', 'ours'] as const) {
      const { messages } = await runReal(side, program, answering);
      expect(messages.at(-1)).toMatchObject({ structured_output: { total: 80 } });
    }
  });

  it('gives a value in its usual dialect, over which the CLI leaves in the official package', async () => {
    const program = asking(z.toJSONSchema(invoice));
    const { messages } = await runReal('ours', program, answering);
    expect(messages.at(-1)).toMatchObject({ structured_output: { total: 80 } });
    expect((await runReal('official', program, answering)).thrown?.message).toContain('2020-12');
    expect(await readFile(page, 'utf8')).toContain('2020-12');
  });
});
