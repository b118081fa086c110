import type { Chance } from '../../support/chance.ts';

/** A text as a shell command may write it: what must run before, and what the shell expands to the text. */
export interface Written {
  readonly before: string;
  /** To stand between double quotes, or without. */
  readonly word: string;
}

export const singleQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const doubleQuoted = (text: string): string => `"${text.replaceAll(/[\\"$`]/g, String.raw`\$&`)}"`;
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Names of variables, none of which a shell sets. */
export function variable(chance: Chance): string {
  return `${chance.oneOf(['X', 'q', 'va', 'K_1', 'Lo'])}${chance.below(30)}`;
}

type Form = (text: string, chance: Chance) => Written;

const known: readonly Form[] = [
  (text) => ({ before: '', word: singleQuoted(text) }),
  (text) => ({ before: '', word: doubleQuoted(text) }),
  (text) => ({ before: '', word: text.replaceAll(/[^\w/.-]/g, String.raw`\$&`) }),
  (text, chance) => ({ before: '', word: `$'${Array.from(text, (one) => escapedBy(chance, one)).join('')}'` }),
];

function escapedBy(chance: Chance, character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return chance.oneOf([
    String.raw`\x${code.toString(16).padStart(2, '0')}`,
    String.raw`\${code.toString(8).padStart(3, '0')}`,
    String.raw`\u${code.toString(16).padStart(4, '0')}`,
    /[\\']/.test(character) ? `\\${character}` : character,
  ]);
}

/** Commands whose output is the text. */
const printed: readonly ((text: string, chance: Chance) => string)[] = [
  (text) => `echo ${base64(text)} | base64 -d`,
  (text) => `base64 -d <<< ${base64(text)}`,
  (text) => `printf %s ${singleQuoted(text)}`,
  (text) =>
    `printf '${Array.from(text, (one) => `\\${(one.codePointAt(0) ?? 0).toString(8).padStart(3, '0')}`).join('')}'`,
  (text) => `echo -e '${Array.from(text, (one) => `\\x${(one.codePointAt(0) ?? 0).toString(16)}`).join('')}'`,
  (text) => `rev <<< ${singleQuoted(Array.from(text).toReversed().join(''))}`,
  (text) => `tr '!-~' 'P-~!-O' <<< ${singleQuoted(rotated(text))}`,
  (text) => `cat <<'E'\n${text}\nE\n`,
  (text) => `xxd -r -p <<< ${Buffer.from(text).toString('hex')}`,
  (text) => `sed s/QQ// <<< ${singleQuoted(`${text.slice(0, 1)}QQ${text.slice(1)}`)}`,
];

const rotated = (text: string): string =>
  text.replaceAll(/[!-~]/g, (one) => String.fromCodePoint(33 + ((one.charCodeAt(0) - 33 + 47) % 94)));

/** Values that other variables hold, whole or in parts. */
const held: readonly Form[] = [
  (text, chance) => inVariable(text, chance, (name, value) => `${name}=${value}; `),
  (text, chance) => inVariable(text, chance, (name, value) => `read -r ${name} <<< ${value}; `),
  (text, chance) => inVariable(text, chance, (name, value) => `printf -v ${name} %s ${value}; `),
  (text, chance) => inVariable(text, chance, (name, value) => `declare ${name}=${value}; `),
  (text, chance) => inVariable(text, chance, (name, value) => `export ${name}=${value}; `),
  (text, chance) => inVariable(text, chance, (name, value) => `for ${name} in ${value}; do :; done; `),
  (text, chance) => inVariable(text, chance, (name, value) => `: \${${name}:=${value}}; `, doubleQuoted),
  (text, chance) => inVariable(text, chance, (name, value) => `mapfile -t ${name} <<< ${value}; `),
  (text, chance) => inVariable(text, chance, (name, value) => `${name}=(${value}); `),
  (text, chance) => inVariable(text, chance, (name, value) => `eval ${singleQuoted(`${name}=${value}`)}; `),
  (text, chance) => inVariable(text, chance, (name, value) => `declare -n ref=${name}; ref=${value}; `),
  (text) => ({ before: `set -- ${singleQuoted(text)}; `, word: '"$1"' }),
  (text) => ({ before: `: ${singleQuoted(text)}; `, word: '"$_"' }),
  (text, chance) => {
    const name = variable(chance);
    return {
      before: `${name}=${singleQuoted(`QQ${text}`)}; `,
      word: `"\${${name}${chance.oneOf([':2', '#QQ', '/QQ', '#*Q*Q', '@E}${Y'])}}"`,
    };
  },
  (text, chance) => {
    const [name, other] = [variable(chance), `o${variable(chance)}`];
    return { before: `${name}=${singleQuoted(text)}; ${other}=${name}; `, word: `"\${!${other}}"` };
  },
  (text, chance) => {
    const name = variable(chance);
    return {
      before: `${name}=${singleQuoted(text.toUpperCase())}; `,
      word: `"\${${name}${chance.oneOf([',,', '@L'])}}"`,
    };
  },
  (text, chance) => {
    const name = `p${variable(chance)}`;
    return {
      before: `${name}() { printf %s ${singleQuoted(text)}; }; `,
      word: `"$(${name}${chance.oneOf(['', ' x'])})"`,
    };
  },
  (text, chance) => ({ before: '', word: `"$(${chance.oneOf(printed)(text, chance)})"` }),
  (text, chance) => ({ before: '', word: `"\`${chance.oneOf(printed.slice(0, 2))(text, chance)}\`"` }),
];

function inVariable(
  text: string,
  chance: Chance,
  set: (name: string, value: string) => string,
  quoted: (text: string) => string = singleQuoted,
): Written {
  const name = variable(chance);
  return { before: set(name, quoted(text)), word: `"$${chance.oneOf([name, `{${name}}`, `{${name}:-x}`])}"` };
}

/** Writes a text in one of many ways, or in several parts. */
export function writtenBy(chance: Chance, text: string, depth = 0): Written {
  if (text.length > 1 && depth < 3 && chance.percent(depth === 0 ? 60 : 35)) {
    const at = 1 + chance.below(text.length - 1);
    const [first, second] = [
      writtenBy(chance, text.slice(0, at), depth + 1),
      writtenBy(chance, text.slice(at), depth + 1),
    ];
    return { before: first.before + second.before, word: first.word + second.word };
  }
  return chance.oneOf(chance.percent(40) ? known : held)(text, chance);
}
