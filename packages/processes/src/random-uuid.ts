import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const uuidBytes = 16;
/** How many uuids one read of the device is good for. */
const uuidsPerRead = 64;

let pool: Buffer = Buffer.alloc(0);

/**
 * A random uuid of version 4, as `crypto.randomUUID()` makes it, from the same source of the system. Loading `node:crypto`
 * takes two to five milliseconds of the first agent that a program starts.
 */
export function randomUuid(device = '/dev/urandom'): string {
  if (pool.length < uuidBytes) pool = readRandom(device);
  if (pool.length < uuidBytes) return process.getBuiltinModule('node:crypto').randomUUID();
  const bytes = pool.subarray(0, uuidBytes);
  pool = pool.subarray(uuidBytes);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40; // the version
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80; // the variant
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Empty where the system has no such device: on Windows, or where something else is in its place. */
function readRandom(device: string): Buffer {
  let file: number | undefined;
  try {
    file = openSync(device, 'r');
    if (!fstatSync(file).isCharacterDevice()) return Buffer.alloc(0);
    const bytes = Buffer.alloc(uuidBytes * uuidsPerRead);
    return bytes.subarray(0, readSync(file, bytes));
  } catch {
    return Buffer.alloc(0);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
