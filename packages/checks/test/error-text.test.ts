import { describe, expect, it } from 'vitest';
import { errorText } from '@hexagent/checks';

const withMessage = (message: unknown): Error => Object.assign(new Error('unused'), { message });
const throwing = (member: string): Error =>
  Object.defineProperty(new Error('unused'), member, {
    get: () => {
      throw new Error('from the getter');
    },
  });
const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const bare = (members: object): object => Object.assign(Object.create(null), members) as object; // what it was given

describe('The text of an error', () => {
  it.each<[what: string, value: unknown, text: string]>([
    ['its message', new Error('It broke.'), 'It broke.'],
    ['the text that was thrown', 'It broke.', 'It broke.'],
    ['the message of an object that is no Error', { message: 'It broke.' }, 'It broke.'],
    ['the message of an object without a prototype', bare({ message: 'It broke.' }), 'It broke.'],
    ['the name where the message is empty', new TypeError(''), 'TypeError'],
    ['the name where the message is undefined', withMessage(undefined), 'Error'],
    ['the name where the message is an object', withMessage({ not: 'text' }), 'Error'],
    ['the name where the message is a symbol', withMessage(Symbol('m')), 'Error'],
    ['the name where reading the message throws', throwing('message'), 'Error'],
    ['the message where reading the name throws', throwing('name'), 'unused'],
    [
      'that there is no message where the name is no text either',
      Object.defineProperty(withMessage(1), 'name', { value: 2 }),
      'an error without a message',
    ],
    ['a description of an error with nothing', Object.setPrototypeOf(new Error(''), null), 'an object without keys'],
    ['the messages of an aggregate without one', new AggregateError([new Error('a'), 'b'], ''), 'a; b'],
    ['the message of an aggregate that has one', new AggregateError([new Error('a')], 'Both failed.'), 'Both failed.'],
    [
      'the first messages of a long aggregate',
      new AggregateError([1, 2, 3, 4, 5, 6, 7], ''),
      '1; 2; 3; 4; 5; and 2 more',
    ],
    ['the name of an empty aggregate', new AggregateError([], ''), 'AggregateError'],
    ['"undefined"', undefined, 'undefined'],
    ['"null"', null, 'null'],
    ['the number', -0.5, '-0.5'],
    ['the BigInt', 10n, '10'],
    ['the boolean', false, 'false'],
    ['the symbol', Symbol('reason'), 'Symbol(reason)'],
    ['"a function"', () => 'never called', 'a function'],
    ['"a list"', ['message'], 'a list'],
    ['that it is an empty text', '', 'an empty text'],
    ['the keys of an object', { code: 1, detail: 2 }, 'an object with the keys code, detail'],
    [
      'the first keys of an object with many',
      Object.fromEntries('abcdefghij'.split('').entries()),
      'an object with the keys 0, 1, 2, 3, 4, 5, 6, 7, …',
    ],
    ['that there are no keys', {}, 'an object without keys'],
    ['that nothing can be read', revoked(), 'an object that cannot be read'],
  ])('is %s', (_, value, text) => {
    expect(errorText(value)).toBe(text);
  });

  it('ends for an aggregate that contains itself', () => {
    const errors: unknown[] = [];
    const error = new AggregateError(errors, '');
    error.errors.push(error);
    expect(errorText(error)).toBe('AggregateError');
  });

  it('is a text for a proxy whose every trap throws', () => {
    const hostile = new Proxy(
      {},
      new Proxy(
        {},
        {
          get: () => () => {
            throw new Error('a trap');
          },
        },
      ),
    );
    expect(errorText(hostile)).toBe('an object that cannot be read');
  });
});
