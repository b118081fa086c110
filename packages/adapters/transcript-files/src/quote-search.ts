/** Lines of this length fit into the memory, and leave room for reading a few bytes too many. */
export const longestSearched: number = 1024 * 1024;
const pages = longestSearched / (64 * 1024) + 1;

/** Memory in which the end of a string is found sixteen bytes at a time. */
export interface QuoteSearch {
  readonly bytes: Buffer;
  /** Where the next quote is that is not escaped; -1 where there is none before the end. */
  readonly find: (index: number, end: number) => number;
}

let search: QuoteSearch | undefined;
let isMissing = false;

/**
 * Code in tool results has a quote or an escape in every dozen bytes, so that a search for each takes as long as a loop over the
 * bytes. This takes a quarter of that. `undefined` where a system has no WebAssembly, or no memory for it.
 */
export function quoteSearch(): QuoteSearch | undefined {
  if (search !== undefined || isMissing) return search;
  try {
    search = instantiate();
  } catch {
    isMissing = true; // switched off, an old processor, or a limit of the address space
  }
  return search;
}

/** What is used here of a global that the types of Node leave to those of browsers. */
interface Wasm {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

function instantiate(): QuoteSearch {
  const { Instance, Module } = Reflect.get(globalThis, 'WebAssembly') as Wasm; // where it is missing, this throws
  const { exports } = new Instance(new Module(Uint8Array.from(module)));
  // These two are what the code exports.
  const { memory, find } = exports as { readonly memory: { readonly buffer: ArrayBuffer } } & Pick<QuoteSearch, 'find'>;
  return { bytes: Buffer.from(memory.buffer), find };
}

const i32 = 0x7f;
const v128 = 0x7b;
const nothing = 0x40;
const [index, end, found, place, quotes, backslashes, bytes] = [0, 1, 2, 3, 4, 5, 6];

/** The function, an instruction or two on a line. */
const body = [
  ...[2, 2, i32, 3, v128], // local $found i32, $place i32, $quotes v128, $backslashes v128, $bytes v128
  ...[0x41, 0x22, 0xfd, 0x0f, 0x21, quotes], // $quotes = i8x16.splat '"'
  ...[0x41, 0xdc, 0x00, 0xfd, 0x0f, 0x21, backslashes], // $backslashes = i8x16.splat '\'
  ...[0x03, nothing], // loop: sixteen bytes
  ...[0x20, index, 0x20, end, 0x4f, 0x04, nothing, 0x41, 0x7f, 0x0f, 0x0b], // if $index >= $end: return -1
  ...[0x20, index, 0xfd, 0x00, 0, 0, 0x22, bytes], // $bytes = v128.load $index
  ...[0x20, quotes, 0xfd, 0x23], // i8x16.eq $quotes
  ...[0x20, bytes, 0x20, backslashes, 0xfd, 0x23], // i8x16.eq $bytes $backslashes
  ...[0xfd, 0x50, 0xfd, 0x64, 0x21, found], // $found = i8x16.bitmask (v128.or …)
  ...[0x03, nothing], // loop: what was found in them
  ...[0x20, found, 0x45, 0x04, nothing], // if $found == 0
  ...[0x20, index, 0x41, 16, 0x6a, 0x21, index, 0x0c, 2, 0x0b], // $index += 16, the next sixteen
  ...[0x20, index, 0x20, found, 0x68, 0x6a, 0x22, place], // $place = $index + i32.ctz $found
  ...[0x2d, 0, 0, 0x41, 0x22, 0x46, 0x04, nothing], // if i32.load8_u $place == '"'
  ...[0x20, place, 0x41, 0x7f, 0x20, place, 0x20, end, 0x49, 0x1b, 0x0f, 0x0b], // return $place < $end ? $place : -1
  ...[0x20, place, 0x20, index, 0x6b, 0x41, 15, 0x46, 0x04, nothing], // if the backslash is the last of the sixteen
  ...[0x20, index, 0x41, 17, 0x6a, 0x21, index, 0x0c, 2, 0x0b], // $index += 17, the next sixteen
  ...[0x20, found, 0x41, 0x7c, 0x20, found, 0x68, 0x74, 0x71, 0x21, found], // $found &= -4 << i32.ctz $found: without the escape
  ...[0x0c, 0], // the next that was found
  ...[0x0b, 0x0b, 0x00, 0x0b], // end, end, unreachable, end
];

/** In two parts of seven bits. */
const size = (length: number): readonly number[] => [(length & 0x7f) | 0x80, length >> 7];
const section = (id: number, ...content: readonly number[]): readonly number[] => [
  ...[id, ...size(content.length)],
  ...content,
];
const name = (text: string): readonly number[] => [text.length, ...Buffer.from(text)];

const module = [
  ...[...Buffer.from('\0asm'), 1, 0, 0, 0],
  ...section(1, 1, 0x60, 2, i32, i32, 1, i32), // (i32, i32) => i32
  ...section(3, 1, 0),
  ...section(5, 1, 0, pages),
  ...section(7, 2, ...name('memory'), 2, 0, ...name('find'), 0, 0),
  ...section(10, 1, ...size(body.length), ...body),
];
