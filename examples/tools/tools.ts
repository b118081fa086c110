/* Lets an agent run a small shop by tools of this program, and prints what they did. */
import { openSession, tool, toolResult } from '@hexagent/sdk';
import { z } from 'zod';

const stock = new Map([
  ['apples', 3],
  ['pears', 0],
]);

/** It only reads, so that the agent may call it several times at once. */
const count = tool(
  'count',
  'How many of a fruit are in stock',
  { fruit: z.string().describe('In the plural, such as apples') },
  ({ fruit }) => {
    const found = stock.get(fruit);
    if (found === undefined) return toolResult.error(`Not sold here. There are: ${[...stock.keys()].join(', ')}.`);
    return toolResult.text(String(found));
  },
  { annotations: { readOnlyHint: true } },
);

/** The arguments have the types of the schema, with defaults filled in; wrong ones never arrive here. */
const order = tool(
  'order',
  'Orders more of a fruit',
  { fruit: z.enum(['apples', 'pears']), count: z.number().int().positive().default(10) },
  ({ fruit, count }) => {
    stock.set(fruit, (stock.get(fruit) ?? 0) + count);
    console.log(`ordered: ${count} ${fruit}`);
    return toolResult.text(`There are ${stock.get(fruit)} now.`);
  },
);

/** A JSON Schema does as well. What a tool throws is what the model reads. */
const sell = tool(
  'sell',
  'Sells one of a fruit',
  { type: 'object', properties: { fruit: { enum: ['apples', 'pears'] } }, required: ['fruit'] },
  ({ fruit }) => {
    const left = (stock.get(String(fruit)) ?? 0) - 1;
    if (left < 0) throw new Error(`There are no ${String(fruit)} left.`);
    stock.set(String(fruit), left);
    console.log(`sold: one of the ${String(fruit)}`);
    return toolResult.text(`${left} are left.`);
  },
);

const session = await openSession({
  tools: ['none', count, order, sell], // no built-in tool exists: only those of the shop
  permissions: { allowOwnTools: true },
});
try {
  const outcome = await session.send(process.argv[2] ?? 'A customer wants a pear. See to it.').result;
  if (outcome.kind === 'completed') console.log(outcome.text);
  if (outcome.kind === 'failed') console.error(outcome.message);
  console.log(`stock: ${JSON.stringify(Object.fromEntries(stock))}`);
} finally {
  await session.close();
}
