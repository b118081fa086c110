import { it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { conversations } from './ui-stream/conversations.ts';
import { isReadAsItsHistory } from './ui-stream/is-read-as-its-history.ts';

withCli('A conversation on a page', () => {
  it.each(Object.entries(conversations).filter(([name]) => name !== 'structured output'))(
    'is read without an error, and is the same as its history: %s',
    (_, conversation) => isReadAsItsHistory(conversation),
  );
});
