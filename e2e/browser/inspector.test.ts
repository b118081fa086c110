import { describe } from 'vitest';
import { withCli } from '../support/cli.ts';
import { withBrowser } from './browser.ts';
import { inspectedTapes } from './inspected-tapes.ts';
import { inspected } from './inspected.ts';
import { browserVisits } from './visits.ts';

withBrowser('The inspector in a browser', () => {
  const visits = browserVisits();
  withCli('shows a program with the real agent: it', () => inspected(visits));
  describe('shows tapes: it', () => inspectedTapes(visits));
});
