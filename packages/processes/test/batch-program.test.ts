import { batchProgram } from '@hexagent/processes';
import { describe, expect, it } from 'vitest';
import { drawHost } from './drawn-host.ts';

const windows = drawHost({ platform: 'win32', env: { SYSTEMROOT: 'C:\\Windows' } });

function lineOf(path: string, args: readonly string[]): string | undefined {
  return batchProgram(path, args, windows)?.program.args.at(-1);
}

describe('A batch file of Windows', () => {
  it('is run by the command interpreter of the system, not by one in PATH or the working directory', () => {
    expect(batchProgram('C:\\node\\npx.cmd', ['-y', 'notes'], windows)).toEqual({
      program: {
        file: 'C:\\Windows\\System32\\cmd.exe',
        args: ['/d', '/s', '/c', '"C:\\node\\npx.cmd ^"-y^" ^"notes^""'],
        verbatim: true,
      },
      args: [],
    });
  });

  it.each([
    ['a command behind it', 'a & calc', '^"a^ ^&^ calc^"'],
    ['a variable', '%PATH%', '^"^%PATH^%^"'],
    ['a quote, which would end the argument', 'a"b', '^"a\\^"b^"'],
    ['backslashes before a quote', 'a\\"b', '^"a\\\\\\^"b^"'],
    ['a backslash at the end', 'C:\\dir\\', '^"C:\\dir\\\\^"'],
    ['nothing', '', '^"^"'],
  ])('gets an argument as it is that holds %s', (_, argument, escaped) => {
    expect(lineOf('C:\\n.bat', [argument])).toBe(`"C:\\n.bat ${escaped}"`);
  });

  it('that npm made hands its arguments on to another line, so they are escaped twice', () => {
    const [path, escapedPath] = ['C:\\a\\node_modules\\.bin\\x.cmd', 'C:\\a\\node_modules\\.bin\\x.cmd'];
    expect(lineOf(path, ['&'])).toBe(`"${escapedPath} ^^^"^^^&^^^""`);
  });

  it('is no matter elsewhere, nor is a program', () => {
    expect(batchProgram('C:\\node\\node.exe', [], windows)).toBeUndefined();
    expect(batchProgram('/opt/npx.cmd', [], drawHost({}))).toBeUndefined();
  });
});
