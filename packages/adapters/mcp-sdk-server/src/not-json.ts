import { errorText } from '@hexagent/ports';

/** Why a value cannot be written as JSON; `undefined` when it can. Looked up here, where the tool to blame is known. */
export function whyNotJson(value: unknown): string | undefined {
  try {
    return search(value, 'the result', new Set());
  } catch (error) {
    return errorText(error); // a getter or a toJSON that throws, or nesting too deep for the stack
  }
}

function search(value: unknown, place: string, around: Set<object>): string | undefined {
  if (typeof value === 'bigint') return `${place} is a BigInt`;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return undefined;
  if (around.has(value)) return `${place} refers back to what contains it`;
  around.add(value);
  const why =
    'toJSON' in value && typeof value.toJSON === 'function'
      ? search(value.toJSON(), place, around)
      : searchParts(value, place, around);
  around.delete(value);
  return why;
}

function searchParts(value: object, place: string, around: Set<object>): string | undefined {
  for (const [key, part] of Object.entries(value)) {
    const why = search(part, `${place}.${key}`, around);
    if (why !== undefined) return why;
  }
  return undefined;
}
