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
  if (pool.length === 0) pool = readRandom(device);
  const bytes = pool.subarray(0, uuidBytes);
  pool = pool.subarray(uuidBytes);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40; // the version
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80; // the variant
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function readRandom(device: string): Buffer {
  const bytes = Buffer.alloc(uuidBytes * uuidsPerRead);
  // On Windows the path is one of the current drive, and a file there may belong to anyone.
  const isRead = process.platform !== 'win32' && readDevice(device, bytes);
  return isRead ? bytes : process.getBuiltinModule('node:crypto').randomFillSync(bytes);
}

/** `false` where the system has no such device, or something else is in its place. */
function readDevice(device: string, bytes: Buffer): boolean {
  let file: number | undefined;
  try {
    file = openSync(device, 'r');
    return fstatSync(file).isCharacterDevice() && readSync(file, bytes) === bytes.length;
  } catch {
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
