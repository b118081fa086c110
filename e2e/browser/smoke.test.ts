import { text, thinking } from '@hexagent/testing/loopback';
import { it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { withBrowser } from './browser.ts';
import { browserPlace, say } from './place.ts';
import { realChat } from './real-chat.ts';

withBrowser('The chat in a browser', () => {
  const place = browserPlace();
  withCli('is joined with the real agent: it', () => {
    it('shows text, folded reasoning and figures', async () => {
      await using chat = await realChat(place, [[thinking('They greet me.'), text('Good **morning**.')]]);
      const { page } = chat;
      await say(page, 'Hello');
      await page.getByText('Good morning.').waitFor();
      await page.getByText('Thoughts').click();
      await page.getByText('They greet me.').waitFor();
      await page.getByText(/ s · .*tokens/).waitFor();
    });
  });
});
