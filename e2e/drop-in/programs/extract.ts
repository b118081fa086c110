// Takes facts out of a text, as JSON of a given shape.
import { query } from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';

const invoice = z.object({
  customer: z.string(),
  total: z.number(),
  lines: z.array(z.object({ article: z.string(), pieces: z.number().int() })),
});

async function extract(text: string): Promise<z.infer<typeof invoice>> {
  for await (const message of query({
    prompt: `Read this invoice: ${text}`,
    options: { outputFormat: { type: 'json_schema', schema: z.toJSONSchema(invoice, { target: 'draft-7' }) } },
  })) {
    if (message.type !== 'result') continue;
    if (message.subtype === 'success') return invoice.parse(message.structured_output);
    throw new Error(`${message.subtype}: ${message.errors.join('; ')}`);
  }
  throw new Error('There was no result.');
}

console.log(JSON.stringify(await extract('2 chairs for Ada, 80 in all')));
try {
  await extract('nothing');
} catch (error) {
  console.log((error as Error).message.split(':')[0]);
}
