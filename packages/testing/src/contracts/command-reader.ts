import { assert } from './assert.ts';
import type { CommandReader, CommandReading } from '@hexagent/ports';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';

/** A reader under test. */
export interface CommandReaderFixture {
  readonly reader: CommandReader;
}

/** What every `CommandReader` promises. */
export function commandReaderContract(runner: Runner, fixture: CommandReaderFixture): void {
  const { describe, it } = limitedRunner('commandReaderContract', runner, fixture);
  describe('CommandReader contract', () => {
    for (const [name, keep] of Object.entries(promises)) it(name, async () => keep(fixture.reader));
  });
}

/** Each runs `zap` in Bash, in dash or in zsh. */
const running: readonly string[] = [
  ...[
    'zap',
    'zap x',
    '  zap\tx',
    '/bin/zap x',
    '"zap" x',
    "z'a'p x",
    'z\\ap x',
    'zap\\\n x',
    '> /dev/null zap',
    'A=1 zap',
  ],
  ...['a; zap', 'a && zap x', 'a || zap', 'a | zap', 'a & zap', 'a\nzap', '(zap)', '{ zap; }', '! zap', 'a # b\nzap'],
  ...['if zap; then :; fi', 'for i in a; do zap; done', 'case a in a) zap;; esac', 'f() { zap; }; f', '((1)) && zap'],
  ...[
    'echo $(zap)',
    'echo `zap`',
    'echo "$(zap)"',
    'cat <(zap)',
    'echo ${A:-$(zap)}',
    'cat <<E\n$(zap)\nE',
    'A=$(zap)',
  ],
  ...[
    'sudo zap',
    'env A=1 zap',
    'timeout 5 zap x',
    'echo x | xargs zap',
    'find . -exec zap {} \\;',
    'sh -c zap',
    'eval zap',
  ],
  ...[
    'bash -c "a; zap x"',
    'bash <<< zap',
    'sh <<E\nzap\nE',
    'echo zap | sh',
    'curl x | sh',
    'trap zap EXIT',
    'git -c alias.x=!zap x',
  ],
  ...['$X y', 'X=zap; $X y', '$(echo zap)', 'z$X', 'z{a,}p', 'za* x', "$'z\\x61p'", 'alias q=zap\nq', 'coproc zap'],
  ...[
    'perl -e "exec zap"',
    "X='a[$(zap)]'; echo $((X))",
    "PS4='$(zap)'; set -x; :",
    'PAGER=zap git log',
    'BASH_CMDS[q]=/bin/zap; q',
  ],
];

/** Each names `zap` where nothing runs it, or is not a command. */
const odd: readonly string[] = [
  '',
  ' ',
  '\n',
  '"',
  "'",
  '$(',
  '`',
  '<<E',
  '\\',
  '\0',
  '\ud83d',
  '\u00a0zap',
  '}',
  ')',
  ';;',
];

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase();

function mayRun(name: string, { anything, candidates, scripts }: CommandReading): boolean {
  return (
    anything !== undefined ||
    candidates.some(([first]) => first?.form === 'unknown' || nameOf(first?.text ?? '') === name) ||
    scripts.some((script) => script.toLowerCase().includes(name))
  );
}

const promises: Readonly<Record<string, (reader: CommandReader) => void>> = {
  'finds a program that the text runs, or takes it for one that may run anything': (reader) => {
    assert.deepEqual(
      running.filter((text) => !mayRun('zap', reader.read(text, 'bash'))),
      [],
    );
  },

  'is certain only of parts that it has as candidates, and of nothing that may run anything': (reader) => {
    for (const text of [...running, ...odd]) {
      const { isCertain, parts, candidates, anything } = reader.read(text, 'bash');
      if (!isCertain) continue;
      assert.equal(anything, undefined, text);
      for (const part of parts)
        assert(
          candidates.some((words) => isSame(words, part)),
          text,
        );
    }
  },

  'is certain of a command only where its parts are the words that its programs receive': (reader) => {
    const { isCertain, parts } = reader.read("zap test 'a b' && zop -x", 'bash');
    const expected = [
      ['zap', 'test', 'a b'],
      ['zop', '-x'],
    ];
    if (isCertain)
      assert.deepEqual(
        parts.map((words) => words.map(({ text }) => text)),
        expected,
      );
    const one = reader.read('zap test -x', 'bash');
    if (one.isCertain)
      assert.deepEqual(
        one.parts.map((words) => words.map(({ text }) => text)),
        [['zap', 'test', '-x']],
      );
  },

  'takes only what is written as it is read for plain': (reader) => {
    for (const text of ['zap "a"', "zap 'a'", 'zap \\a', 'zap $a', 'zap *', 'zap `a`']) {
      const [, argument] = reader.read(text, 'bash').parts[0] ?? [];
      assert.notEqual(argument?.form, 'plain', text);
    }
  },

  'reports that a redirection may write to a file': (reader) => {
    for (const text of ['zap > out', 'zap >> out', 'zap 2> out', 'zap &> out', '> out', 'a; zap >| out'])
      assert(reader.read(text, 'bash').writesFile, text);
  },

  'reads any text': (reader) => {
    for (const text of [...odd, ...odd.map((one) => `zap ${one} x`)])
      for (const shell of ['bash', 'powershell'] as const) reader.read(text, shell);
  },

  'reads the same text in the same way each time': (reader) => {
    for (const text of running) assert.deepEqual(reader.read(text, 'bash'), reader.read(text, 'bash'));
  },

  'takes no noticeable time for a long text': (reader) => {
    const begin = performance.now();
    for (const text of ['zap ', '$(', '`', '"', 'x=$(y); ', 'eval "a b"; ', '{a,'])
      reader.read(text.repeat(100_000), 'bash');
    assert(performance.now() - begin < 10_000);
  },

  'finds a command of PowerShell by each of its names': (reader) => {
    for (const text of [
      'Remove-Item x',
      'ri x',
      'Get-ChildItem | del',
      '& "Remove-Item" x',
      'iex $x',
      'Rem`ove-Item x',
      '& $x y',
    ])
      assert(mayRun('remove-item', reader.read(text, 'powershell')), text);
  },
};

const isSame = (one: CommandReading['parts'][number], other: typeof one): boolean =>
  one.length === other.length && one.every(({ text }, at) => text === other[at]?.text);
