import { describe } from 'vitest';
import { withCli } from '../support/cli.ts';
import { access } from './access.ts';
import { asking } from './asking.ts';
import { withBrowser } from './browser.ts';
import { connection } from './connection.ts';
import { chats } from './chats.ts';
import { browserPlace } from './place.ts';
import { reading } from './reading.ts';
import { real } from './real.ts';
import { turns } from './turns.ts';

// One file, since a browser and a built page serve all of them. What starts programs of its own is in `chat-programs.test.ts`.
withBrowser('The chat in a browser', () => {
  const place = browserPlace();
  withCli('is joined with the real agent: it', () => real(place));
  describe('shows a turn: it', () => turns(place));
  describe('asks a person: it', () => asking(place));
  describe('loses its server: it', () => connection(place));
  describe('is read and used: it', () => reading(place));
  describe('is accessible: it', () => access(place));
  describe('has many chats: it', () => chats(place));
});
