import { describe, expect, it } from 'vitest';
import { checkBytes, checkDelay } from '@hexagent/checks';

const wrong: readonly (readonly [value: unknown, shown: string])[] = [
  [NaN, 'NaN'],
  [-1, '-1'],
  [-Infinity, '-Infinity'],
  ['5', '"5"'],
  ['x'.repeat(1000), `"${'x'.repeat(40)}…"`],
  [null, 'null'],
  [5n, 'a bigint'],
  [true, 'true'],
  [[1], 'a list'],
  [{ valueOf: () => 5 }, 'an object'],
  [Object.create(null), 'an object'],
  [() => 5, 'a function'],
  [Symbol('5'), 'a symbol'],
];

describe('checkDelay', () => {
  it.each([undefined, 0, 0.5, 1, 2 ** 31, Infinity])('accepts %s', (value) => {
    expect(() => checkDelay('timeoutMs', value)).not.toThrow();
  });

  it.each(wrong)('refuses %s, naming the option and the value', (value, shown) => {
    expect(() => checkDelay('timeoutMs', value)).toThrow(
      new TypeError(`\`timeoutMs\` must be a number of milliseconds, 0 or more, not ${shown}.`),
    );
  });
});

describe('checkBytes', () => {
  it.each([undefined, 0, 1, 2 ** 40])('accepts %s', (value) => {
    expect(() => checkBytes('softMarkBytes', value)).not.toThrow();
  });

  it.each([...wrong, [Infinity, 'Infinity'] as const])(
    'refuses %s, naming the option and the value',
    (value, shown) => {
      expect(() => checkBytes('softMarkBytes', value)).toThrow(
        new TypeError(`\`softMarkBytes\` must be a number of bytes from 0 to 9007199254740991, not ${shown}.`),
      );
    },
  );

  it('keeps to a narrower range', () => {
    expect(() => checkBytes('maxLineBytes', 0, { least: 1, most: 10 })).toThrow('from 1 to 10, not 0');
    expect(() => checkBytes('maxLineBytes', 11, { least: 1, most: 10 })).toThrow('from 1 to 10, not 11');
    expect(() => checkBytes('maxLineBytes', 10, { least: 1, most: 10 })).not.toThrow();
  });
});
