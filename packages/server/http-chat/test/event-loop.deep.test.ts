import { describe, expect, it } from 'vitest';
import { errorOf, place, request, userMessage } from './chat-double.ts';

/** The CPU time of this thread, in milliseconds: a machine that is busy with other programs lengthens no slice of it. */
function cpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The longest CPU time that this thread spent in one turn of the event loop while the task ran. */
async function longestSlice(task: () => Promise<unknown>): Promise<number> {
  let [longest, before, isDone] = [0, cpu(), false];
  const measure = (): void => {
    const now = cpu();
    [longest, before] = [Math.max(longest, now - before), now];
    if (!isDone) setImmediate(measure);
  };
  await new Promise<void>((resolve) =>
    setImmediate(() => {
      measure();
      resolve();
    }),
  );
  await task();
  isDone = true;
  await new Promise<void>((resolve) => setImmediate(resolve));
  measure();
  return longest;
}

/** So many bytes of one piece after another. */
function filled(bytes: number, piece: (index: number) => string): string {
  const pieces: string[] = [];
  for (let [length, index] = [0, 0]; length < bytes; index += 1) {
    const next = piece(index);
    pieces.push(next);
    length += next.length + 1;
  }
  return pieces.join(',');
}

const history = (content: string): string =>
  `{"id":"chat1","messages":[{"id":"old","role":"assistant","parts":[],"metadata":${content}},${JSON.stringify(userMessage('hi'))}]}`;

/** What takes longest to parse, by its size in bytes. */
const bodies: Readonly<Record<string, (bytes: number) => string>> = {
  'lists within lists': (bytes) => history(`${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`),
  'objects within objects': (bytes) => history(`${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}`),
  'empty lists': (bytes) => history(`[${filled(bytes, () => '[]')}]`),
  'names of members': (bytes) => history(`{${filled(bytes, (index) => `"${index.toString(36)}":1`)}}`),
  'objects with a name each': (bytes) => history(`[${filled(bytes, (index) => `{"${index.toString(36)}":1}`)}]`),
  'short texts': (bytes) => history(`[${filled(bytes, (index) => `"${index.toString(36)}"`)}]`),
  'parts of a message': (bytes) =>
    `{"id":"chat1","message":{"id":"m","role":"user","parts":[${filled(bytes, () => '{"type":"text","text":"x"}')}]}}`,
  'one text': (bytes) => history(`"${'x'.repeat(bytes)}"`),
};

const megabyte = 1_000_000;
/** As many values as a body may have by default. */
const mostNames = history(
  `{${Array.from({ length: 24_900 }, (_, index) => `"name ${index.toString(36)}":1`).join(',')}}`,
);

describe('A request', () => {
  // The best of three, since collecting what was left by others may fall into any one.
  const holds = async (body: string, times = 1): Promise<number> => {
    const slices: number[] = [];
    for (let run = 0; run < 3; run += 1) {
      const requests = Array.from({ length: times }, () => request({ path: '/api/chat', body }));
      const { handler } = place();
      slices.push(await longestSlice(() => Promise.all(requests.map((each) => handler.handle(each)))));
    }
    return Math.min(...slices);
  };

  describe.each([1, 15])('of %i MB', (size) => {
    it.each(Object.entries(bodies))('holds up the others for less than 50 ms: %s', async (_, body) => {
      expect(await holds(body(size * megabyte))).toBeLessThan(50);
    });
  });

  it('of as many values as it may have is accepted, and holds up the others for less than 50 ms', async () => {
    const { handler } = place();
    expect((await handler.handle(request({ path: '/api/chat', body: mostNames }))).status).toBe(200);
    expect(await holds(mostNames)).toBeLessThan(50);
  });

  it('among many that come at once holds up the others for no longer', async () => {
    expect(await holds(mostNames, 24)).toBeLessThan(50);
  });

  it.each([
    ['values', 413, 'BODY_TOO_LARGE', history(`[${'1,'.repeat(50_000)}1]`)],
    ['depth', 400, 'BAD_REQUEST', history(`${'['.repeat(100)}${']'.repeat(100)}`)],
    ['parts', 413, 'MESSAGE_TOO_LARGE', bodies['parts of a message']?.(3000)],
    ['bytes', 413, 'BODY_TOO_LARGE', bodies['one text']?.(1024 * 1024)],
  ])('with too many %s is refused', async (_, status, code, body) => {
    const response = await place().handler.handle(request({ path: '/api/chat', body }));
    expect([response.status, (await errorOf(response)).code]).toEqual([status, code]);
  });

  it('may have brackets, commas and quotes in its texts', async () => {
    const text = '[{,:"\\'.repeat(12_000);
    const { handler, chats } = place();
    const body = { id: 'chat1', message: userMessage(text) };
    expect((await handler.handle(request({ path: '/api/chat', body }))).status).toBe(200);
    expect(chats.received).toMatchObject([{ message: { content: text } }]);
  });
});
