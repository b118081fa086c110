import type { Loopback } from '@hexagent/testing/loopback';

/** An event of a stream, as the API sends it. */
export interface SentEvent {
  readonly type: string;
  readonly index?: number;
  readonly delta?: Readonly<Record<string, unknown>>;
  readonly content_block?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

export function ask(loopback: Loopback, body: object = {}, init: RequestInit = {}): Promise<Response> {
  return fetch(`${loopback.url}/v1/messages?beta=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'none' },
    body: JSON.stringify({
      model: 'model-x',
      max_tokens: 1000,
      stream: true,
      messages: [userMessage('Hello')],
      ...body,
    }),
    ...init,
  });
}

export function userMessage(content: string | readonly object[]): object {
  return { role: 'user', content };
}

export async function eventsOf(response: Response): Promise<readonly SentEvent[]> {
  return parseEvents(await response.text());
}

export function parseEvents(stream: string): readonly SentEvent[] {
  return stream
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [name, data = ''] = block.split('\n');
      const event: SentEvent = JSON.parse(data.replace('data: ', ''));
      if (name !== `event: ${event.type}`) throw new Error(`The event's name differs from its type: ${block}`);
      return event;
    });
}

export function textOf(events: readonly SentEvent[]): string {
  return events.map(({ delta }) => (typeof delta?.['text'] === 'string' ? delta['text'] : '')).join('');
}
