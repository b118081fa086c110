/** The system that a program was built for, as Node names it. */
export interface ProgramBuild {
  readonly platform: 'linux' | 'darwin' | 'win32';
  /** `undefined` for one that holds several, or another one than the CLI is built for. */
  readonly arch: 'x64' | 'arm64' | undefined;
}

const elf: Readonly<Record<number, 'x64' | 'arm64'>> = { 0x3e: 'x64', 0xb7: 'arm64' };
const machO: Readonly<Record<number, 'x64' | 'arm64'>> = { 0x01000007: 'x64', 0x0100000c: 'arm64' };
const pe: Readonly<Record<number, 'x64' | 'arm64'>> = { 0x8664: 'x64', 0xaa64: 'arm64' };

/** Reads the header of a program. `script` for a text with a first line that names its interpreter; `undefined` for anything else. */
export function programBuild(head: Buffer): ProgramBuild | 'script' | undefined {
  if (head.subarray(0, 2).toString('latin1') === '#!') return 'script';
  if (head.length < 64) return undefined;
  const magic = head.readUInt32BE(0);
  // Files of ELF for other systems differ in a byte that Linux does not read.
  if (magic === 0x7f454c46) return { platform: 'linux', arch: elf[head.readUInt16LE(18)] };
  if (magic === 0xcffaedfe) return { platform: 'darwin', arch: machO[head.readUInt32LE(4)] };
  if (magic === 0xcafebabe) return { platform: 'darwin', arch: undefined };
  if (head.subarray(0, 2).toString('latin1') !== 'MZ') return undefined;
  const header = head.readUInt32LE(60);
  const machine = header + 6 <= head.length ? head.readUInt16LE(header + 4) : 0;
  return { platform: 'win32', arch: pe[machine] };
}
