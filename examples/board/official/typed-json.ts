import { query } from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';

const city = z.object({ name: z.string(), people: z.number() });
const schema = z.toJSONSchema(city, { target: 'draft-7' }) as Record<string, unknown>;
const options = { outputFormat: { type: 'json_schema' as const, schema } };
for await (const message of query({ prompt: 'Which is the largest city of France?', options })) {
  if (message.type !== 'result') continue;
  if (message.subtype !== 'success' || message.is_error) throw new Error(`It failed: ${message.subtype}`);
  const { name, people } = city.parse(message.structured_output);
  console.log(`${name}: ${people} people`);
}
