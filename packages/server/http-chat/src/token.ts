const encoder = new TextEncoder();

/**
 * Whether two secrets are the same, in a time that does not depend on where they differ: a digest of both is compared
 * as a whole, so that their lengths do not matter either.
 */
export async function isSameSecret(given: string, expected: string): Promise<boolean> {
  const [left, right] = await Promise.all([digest(given), digest(expected)]);
  let difference = left.length ^ right.length;
  for (const [at, byte] of left.entries()) difference |= byte ^ (right[at] ?? 0);
  return difference === 0;
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', encoder.encode(text)));
}

/** The token of `authorization: Bearer …`, if there is one. */
export function bearerToken(headers: Headers): string | undefined {
  return /^bearer +([^\s]+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
}
