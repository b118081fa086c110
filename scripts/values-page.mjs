// Writes docs/values-of-options.md from the table of wanted differences in e2e/differential, which the comparison with the
// official package holds to: `node scripts/values-page.mjs`. scripts/test/values-page.test.ts fails when the page is behind.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { wantedDifferences } from '../e2e/differential/wanted-differences.ts';
import { root } from './workspace.mjs';

export const page = path.join(root, 'docs/values-of-options.md');

const head = `<!-- Written by scripts/values-page.mjs from e2e/differential/wanted-differences.ts: change that, then run the script. -->

# Values of options that reach the agent otherwise

Each option of \`query()\` is compared with the official package, with a dozen values of every kind and some of its own: the command line,
the environment and what is written to the agent have to be the same. Where they are not, the value is in this list. A difference that
is not listed fails a test, and so does one that is listed and does not happen.

Three rules are not listed. A value of another type than the option's is a \`TypeError\` that names the option. What is empty is left out.
Keys that an option does not have are left alone.

What else is different: [the page of differences](differences.md).

| option | values | why it is different here |
|---|---|---|
`;

/** A value as it stands in a cell of a table. */
const cell = (value) => `\`${value.replaceAll('|', String.raw`\|`)}\``;

/** The whole page. */
export const valuesPage = () =>
  head +
  Object.entries(wantedDifferences)
    .flatMap(([option, differences]) =>
      differences.map(({ why, values }) => `| \`${option}\` | ${values.map(cell).join(', ')} | ${why} |\n`),
    )
    .join('');

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(page, valuesPage());
