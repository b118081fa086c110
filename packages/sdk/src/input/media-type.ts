/** The types of images that the model reads. */
export type ImageType = 'image/gif' | 'image/jpeg' | 'image/png' | 'image/webp';

const signatures: readonly (readonly [ImageType | 'application/pdf', RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^47494638(?:37|39)61/],
  ['image/webp', /^52494646.{8}57454250/],
  ['application/pdf', /^255044462d/],
];

/** The type of a file by its first bytes: its name may be wrong, and the service refuses the whole message then. */
export function mediaTypeOf(bytes: Buffer): ImageType | 'application/pdf' | undefined {
  const head = bytes.toString('hex', 0, 12);
  return signatures.find(([, signature]) => signature.test(head))?.[0];
}

/** The text of a file that is text; `undefined` for anything else. */
export function decodedText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined; // not UTF-8
  }
}
