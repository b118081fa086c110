import type { ReceivedFrame } from '../wire.ts';

/** The meaning of one line of input for the CLI. */
export type StdinLine =
  | { readonly kind: 'frame'; readonly frame: ReceivedFrame }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'fatal'; readonly message: string };

const handledTypes = new Set(['user', 'control_request', 'control_response']);

/** The CLI exits on some malformed lines and ignores others. Recordings 15-bad-line-*, 15-malformed-stdin-lines. */
export function readStdinLine(line: string): StdinLine {
  if (line.trim() === '') return { kind: 'ignored' };
  let frame: ReceivedFrame | null;
  try {
    // Of unknown form: the fields that matter are checked below.
    frame = JSON.parse(line) as ReceivedFrame | null;
  } catch {
    return fatal(`Error parsing streaming input line (type=unknown, ${line.length} chars): SyntaxError`);
  }
  if (frame === null)
    return fatal(`Error parsing streaming input line (type=unknown, ${line.length} chars): TypeError`);
  if (!handledTypes.has(frame.type)) return { kind: 'ignored' };
  if (frame.type === 'control_request' && !frame.request) return fatal('Error: Missing request on control_request');
  if (frame.type === 'user' && frame.message?.role !== 'user') {
    return fatal(`Error: Expected message role 'user', got '${String(frame.message?.role)}'`);
  }
  return { kind: 'frame', frame };
}

function fatal(message: string): StdinLine {
  return { kind: 'fatal', message };
}
