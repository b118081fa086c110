import { describe, expect, it } from 'vitest';
import { addressOf, Places } from '../src/places.ts';

describe('The ranges of a fleet', () => {
  const places = new Places(['10.1.0.0/16', '192.168.7.7/32', 'fd00:1::/32']);

  it.each([
    ['https://10.1.2.3:7443', { host: '10.1.2.3', port: 7443 }],
    ['https://192.168.7.7:1', { host: '192.168.7.7', port: 1 }],
    ['https://[fd00:1::7]:65535', { host: 'fd00:1::7', port: 65_535 }],
  ])('have %s', (address, place) => {
    expect(places.find(address)).toEqual(place);
    expect(addressOf(place)).toBe(address);
  });

  it.each([
    'https://10.2.0.1:7443',
    'https://192.168.7.8:7443',
    'https://[fd00:2::1]:7443',
    'https://127.0.0.1:7443',
    'https://0.0.0.0:7443',
    'https://[::]:7443',
    'https://[::1]:7443',
    'https://[::ffff:10.1.2.3]:7443',
    'https://[::ffff:a01:203]:7443',
    'https://[0:0:0:0:0:ffff:a01:203]:7443',
    'https://[fe80::1%eth0]:7443',
    'https://[fd00:1::7:7443',
    'https://fd00:1::7:7443',
    'http://10.1.2.3:7443',
    'HTTPS://10.1.2.3:7443',
    'wss://10.1.2.3:7443',
    'file:///etc/passwd',
    'https://10.1.2.3',
    'https://10.1.2.3:',
    'https://10.1.2.3:65536',
    'https://10.1.2.3:07443',
    'https://10.1.2.3:7443/',
    'https://10.1.2.3:7443/v1/start',
    'https://10.1.2.3:7443?x',
    'https://10.1.2.3:7443#x',
    'https://10.1.2.3:7443\n',
    ' https://10.1.2.3:7443',
    'https://ada@10.1.2.3:7443',
    'https://10.1.2.3:7443@169.254.169.254:80',
    'https://010.1.2.3:7443',
    'https://10.1.515:7443',
    'https://0x0a.1.2.3:7443',
    'https://167838211:7443',
    'https://10.1.2.3.nip.io:7443',
    'https://localhost:7443',
    'https://１０.1.2.3:7443',
    "https://10.1.2.3:7443'; DROP TABLE leases; --",
    '',
    undefined,
    null,
    7443,
    ['https://10.1.2.3:7443'],
    { toString: () => 'https://10.1.2.3:7443' },
  ])('do not have %j', (address) => expect(places.find(address)).toBeUndefined());

  it('have the addresses of this machine alone by default', () => {
    const own = new Places();
    for (const host of ['127.0.0.1', '127.9.9.9', '[::1]']) expect(own.find(`https://${host}:1`)).toBeDefined();
    for (const host of ['10.0.0.1', '169.254.169.254', '[::2]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '0.0.0.0'])
      expect(own.find(`https://${host}:1`)).toBeUndefined();
  });

  it('have no address that stands for another one, however wide they are', () => {
    const all = new Places(['0.0.0.0/0', '::/0']);
    expect(all.find('https://203.0.113.7:1')).toBeDefined();
    for (const host of ['0.0.0.0', '0.1.2.3', '[::]', '[::ffff:7f00:1]'])
      expect(all.find(`https://${host}:1`)).toBeUndefined();
  });

  it.each([
    ['10.0.0.0'],
    ['10.0.0.0/33'],
    ['10.0.0/8'],
    ['fd00::/129'],
    ['::ffff:10.0.0.0/104'],
    ['a.example/8'],
    [''],
    [8],
  ])('are refused where one is %j', (range) => expect(() => new Places([range as string])).toThrow(TypeError));

  it('may be none', () => expect(new Places([]).find('https://127.0.0.1:1')).toBeUndefined());
});
