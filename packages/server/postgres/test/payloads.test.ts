import type { SessionSignal } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { inPayloads, signalsOf } from '../src/payloads.ts';

const wake = (session: string): SessionSignal => ({ session, kind: 'wake' });

describe('Signals for NOTIFY', () => {
  it('are in as few texts as can hold them, each below the limit of the server', () => {
    const signals = Array.from({ length: 1000 }, (_, number) => wake(`a chat 😀 ${number}`));
    const payloads = inPayloads('sender', signals);
    expect(payloads.length).toBe(3);
    for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8000);
    expect(payloads.flatMap((payload) => signalsOf(payload, 'receiver'))).toEqual(signals);
  });

  it('keep a session of any name, but for one that is too long', () => {
    const names = ['\n', '\u2028', '"', '\0', '\ud83d', 'wake "x"', ''];
    const payloads = inPayloads('sender', [...names, 'x'.repeat(8000), 'é'.repeat(4000)].map(wake));
    expect(payloads.flatMap((payload) => signalsOf(payload, 'receiver'))).toEqual(names.map(wake));
    expect(inPayloads('sender', [wake('x'.repeat(8000))])).toEqual([]);
  });

  it('are not received by their sender', () => {
    const [payload = ''] = inPayloads('sender', [wake('a')]);
    expect(signalsOf(payload, 'sender')).toEqual([]);
  });

  it('are not read from other texts', () => {
    for (const line of ['', 'wake', 'wake a', 'wake "a', 'stop "a"', 'wake "\\x"', 'wake {"a":1}'])
      expect(signalsOf(`sender\n${line}`, 'receiver')).toEqual([]);
  });
});
