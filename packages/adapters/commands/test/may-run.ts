import { commandReader } from '../src/index.ts';

const isZap = /^(?:.*\/)?zap(?:\.exe)?$/i;

/** Whether the command may run the program `zap`, as far as the reader can tell. */
export function mayRunZap(command: string): boolean {
  const { anything, candidates, scripts } = commandReader.read(command, 'bash');
  return (
    anything !== undefined ||
    candidates.some(([first]) => first !== undefined && (first.form === 'unknown' || isZap.test(first.text))) ||
    scripts.some((script) => /(?<![\w-])zap(?![\w-])/i.test(script))
  );
}
