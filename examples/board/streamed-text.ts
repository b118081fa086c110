import { ask } from '@hexagent/sdk';

for await (const text of ask('Tell me a story.').textStream()) process.stdout.write(text);
