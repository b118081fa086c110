import { list, text } from '@hexagent/checks';
import { BlockList, isIP } from 'node:net';

/** Where a worker listens. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

const thisMachine = ['127.0.0.0/8', '::1/128'];

/** What stands for another address, and so would be in a range without looking like it. */
const neverAllowed = new BlockList();
neverAllowed.addSubnet('0.0.0.0', 8, 'ipv4');
neverAllowed.addAddress('::', 'ipv6');
const mapped = new BlockList();
mapped.addSubnet('::ffff:0:0', 96, 'ipv6');

/** Which addresses belong to a fleet. Those in the lease store are believed only as far as they are in these ranges. */
export class Places {
  readonly #allowed = new BlockList();

  /** @throws {TypeError} for anything but a list of ranges, such as `10.0.0.0/8`. */
  constructor(ranges: readonly string[] = thisMachine) {
    for (const range of list(text('a range of addresses, such as "10.0.0.0/8"'))(ranges, 'ranges')) this.#allow(range);
  }

  /** The place that an address names; `undefined` for anything but `https://IP:port` within the ranges. */
  find(address: unknown): Place | undefined {
    const [, host = '', port = ''] =
      (typeof address === 'string' &&
        /^https:\/\/([0-9.]{7,15}|\[[0-9a-f:]{2,39}\]):(0|[1-9][0-9]{0,4})$/.exec(address)) ||
      [];
    const place = { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
    return place.port <= 65_535 && this.#has(place.host) ? place : undefined;
  }

  #has(host: string): boolean {
    const family = familyOf(host);
    if (family === undefined || neverAllowed.check(host, family)) return false;
    return !(family === 'ipv6' && mapped.check(host, family)) && this.#allowed.check(host, family);
  }

  #allow(range: string): void {
    const [, address = '', bits] = /^([0-9a-f.:]{2,39})\/([0-9]{1,3})$/.exec(range) ?? [];
    const family = familyOf(address);
    const isMapped = family === 'ipv6' && mapped.check(address, family);
    if (family === undefined || isMapped || Number(bits) > (family === 'ipv4' ? 32 : 128))
      throw new TypeError(
        `\`ranges\` must have ranges such as "10.0.0.0/8" or "fd00::/8", not ${JSON.stringify(range)}.`,
      );
    this.#allowed.addSubnet(address, Number(bits), family);
  }
}

/** The address of a place, as it is stored with a lease. */
export const addressOf = ({ host, port }: Place): string =>
  `https://${host.includes(':') ? `[${host}]` : host}:${port}`;

function familyOf(host: string): 'ipv4' | 'ipv6' | undefined {
  return ({ 4: 'ipv4', 6: 'ipv6' } as const)[isIP(host)];
}
