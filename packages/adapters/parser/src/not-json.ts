import { errorText } from '@hexagent/ports';

/** Says which field JSON.stringify stumbled over. Only called after it did, so that good frames pay nothing. */
export function whyNotJson(frame: object, cause: unknown): string {
  const found = find(frame, { path: '', parents: [], searched: new Set() });
  if (found !== undefined) return found;
  return `The frame cannot be written as JSON: ${errorText(cause)}.`;
}

interface Place {
  readonly path: string;
  readonly parents: readonly object[];
  /** What is shared is searched once: a small graph can have an astronomic number of paths. */
  readonly searched: Set<object>;
}

// Deeper than this, JSON.stringify itself may run out of stack, and so may the search.
const deepest = 500;

function find(value: unknown, { path, parents, searched }: Place): string | undefined {
  if (typeof value === 'bigint') return `\`${path}\` is a BigInt, which JSON cannot carry; pass a number or a string.`;
  if (typeof value !== 'object' || value === null) return undefined;
  if (parents.includes(value)) return `\`${path}\` refers back to what contains it, which JSON cannot carry.`;
  if (searched.has(value)) return undefined;
  if (parents.length > deepest) return `\`${path.slice(0, 100)}…\` is nested too deeply.`;
  const isList = Array.isArray(value);
  for (const [key, child] of entriesOf(value)) {
    const step = isList ? `[${key}]` : `${path === '' ? '' : '.'}${key}`;
    const found = find(child, { path: `${path}${step}`, parents: [...parents, value], searched });
    if (found !== undefined) return found;
  }
  searched.add(value);
  return undefined;
}

function entriesOf(value: object): readonly [string, unknown][] {
  try {
    return Object.entries(value);
  } catch {
    return []; // a getter that throws: the error of JSON.stringify is the better explanation
  }
}
