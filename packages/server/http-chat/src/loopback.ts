/** A host as a request names it. */
export interface HostAndPort {
  readonly host: string;
  /** Empty where none is named. */
  readonly port: string;
}

/** `undefined` for anything but a host: one with a user, a path, or characters that no name has. */
export function toHostAndPort(text: string): HostAndPort | undefined {
  const parts = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i.exec(text);
  const [, host, port = ''] = parts ?? [];
  return host === undefined ? undefined : { host: host.toLowerCase(), port };
}

/** Whether a name of a host always means the machine itself. `127.evil.example` does not. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || isLoopbackV4(host);
}

/** Whether an address of a connection is the machine itself, also as IPv6 spells an IPv4 address. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || isLoopbackV4(address.replace(/^::ffff:/i, ''));
}

function isLoopbackV4(address: string): boolean {
  return /^127(?:\.\d{1,3}){3}$/.test(address);
}
