import { type SessionFeature } from '@hexagent/ports';

export const named = (feature: Partial<SessionFeature>): SessionFeature => ({ name: 'test', ...feature });
export const asks = (request: object): object => ({ type: 'control_request', request_id: 'asked', request });
/** Callbacks of a feature that fail. */
export const failing: readonly (readonly [string, () => void | Promise<void>])[] = [
  [
    'throws',
    () => {
      throw new Error('full');
    },
  ],
  ['rejects', async () => Promise.reject(new Error('full'))],
];

export const mirror = { type: 'transcript_mirror', filePath: '/a', entries: [{ n: 1 }] };
