// A job that is aborted when it takes too long, and reports its progress.
import { AbortError, query } from '@anthropic-ai/claude-agent-sdk';

const abortController = new AbortController();
let text = '';
try {
  for await (const message of query({
    prompt: 'Count to a million.',
    options: { abortController, includePartialMessages: true },
  })) {
    if (message.type !== 'stream_event') continue;
    const { event } = message;
    if (event.type !== 'content_block_delta' || event.delta.type !== 'text_delta') continue;
    text += event.delta.text;
    if (text.length > 10) abortController.abort(new Error('too long'));
  }
  console.log('finished');
} catch (error) {
  if (!(error instanceof AbortError)) throw error;
  console.log(`given up after ${JSON.stringify(text)}`);
}
console.log(abortController.signal.aborted);
