import { withCli } from '../support/cli.ts';
import { withBrowser } from './browser.ts';
import { fleet } from './fleet.ts';
import { browserPlace } from './place.ts';
import { program } from './program.ts';

// Beside `chat.test.ts`: these wait for programs that start, end and are killed, while a page keeps a processor busy there.
withBrowser('The chat in a browser', () => {
  const place = browserPlace();
  withCli('is one command: it', () => program(place));
  withCli('runs on many workers: it', () => fleet(place));
});
