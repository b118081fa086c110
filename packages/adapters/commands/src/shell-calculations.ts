import {
  forEachChild,
  type ArithmeticCommand,
  type ArithmeticCommandExpansion,
  type ArithmeticExpansionPart,
  type ArithmeticFor,
  type ArithmeticWord,
  type SyntaxNode,
  type WordPart,
} from 'unbash';
import { isNumber } from './shell-origins.ts';

export type Calculation = ArithmeticCommand | ArithmeticFor | ArithmeticExpansionPart;

export interface Operands {
  /** Whether they have only variables, numbers, and the output of programs that print numbers. */
  readonly isSimple: boolean;
  /** The variables. */
  readonly names: readonly string[];
  /** The variables that it sets. */
  readonly counted: readonly string[];
  /** The expansions in the operands. */
  readonly inner: readonly (WordPart | ArithmeticCommandExpansion)[];
}

const simple = /^(?:\w*|\$(?:\w+|[#?$!]|\{#?\w+(?:\[[@*\d]\])?\}))$/;

export function operandsOf(calculation: Calculation): Operands {
  const nodes = nodesIn(calculation);
  const words = nodes.filter((node) => node.type === 'ArithmeticWord');
  const outputs = nodes.filter((node) => node.type === 'ArithmeticCommandExpansion');
  return {
    isSimple:
      words.every(({ value }) => simple.test(value)) && outputs.every(({ text }) => isNumber(text.slice(2, -1))),
    names: words.flatMap(({ value }) => namesIn(value)),
    counted: nodes.flatMap((node) => {
      const isSet =
        (node.type === 'ArithmeticBinary' && /^(?:[-+*/%]|)=$/.test(node.operator)) ||
        (node.type === 'ArithmeticUnary' && /^(?:\+\+|--)$/.test(node.operator));
      if (!isSet) return [];
      const target = node.type === 'ArithmeticBinary' ? node.left : node.operand;
      return target.type === 'ArithmeticWord' ? [target.value] : [];
    }),
    inner: [...words.flatMap(({ parts = [] }) => parts), ...outputs],
  };
}

export const namesIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(/[a-z_]\w*|\$[\d@*-]/gi), ([name]) => name);

/** Whether an operand is several words: the parser takes a text that it cannot calculate for one operand. */
export const hasWords = (calculation: Calculation): boolean =>
  nodesIn(calculation).some((node) => node.type === 'ArithmeticWord' && isSeveral(node));

function isSeveral({ value, parts }: ArithmeticWord): boolean {
  if (parts === undefined) return !/^(?:[\w.@#]*|\$.*|\w+\[.*\])$/s.test(value);
  return parts.some((part) => part.type === 'Literal' && /[\s()]/.test(part.text));
}

/** The body of a loop is not a part of its calculation. */
function nodesIn(calculation: Calculation): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const add = (node: SyntaxNode): void => {
    if (node.type === 'CompoundList') return;
    found.push(node);
    if (node.type !== 'ArithmeticWord' && node.type !== 'ArithmeticCommandExpansion') forEachChild(node, add);
  };
  forEachChild(calculation, add);
  return found;
}
