/** A wrong argument: named with its value and what to pass instead. */
export function refuseValue(option: string, value: unknown, remedy: string): TypeError {
  return new TypeError(`${option}: ${show(value)} is refused. ${remedy}`);
}

export function wantNumber(
  option: string,
  value: number,
  { above, whole = false }: { readonly above: number; readonly whole?: boolean },
): number {
  if (Number.isFinite(value) && value > above && (!whole || Number.isInteger(value))) return value;
  throw refuseValue(option, value, `Pass a ${whole ? 'whole ' : ''}number greater than ${above}.`);
}

/** JSON for a private file. */
export function toJson(option: string, value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new TypeError(`${option}: this cannot be written as JSON. Pass plain objects, lists, texts and numbers.`, {
      cause,
    });
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (isRecord(value)) return `an object with the keys ${Object.keys(value).join(', ') || '(none)'}`;
  return Array.isArray(value) ? 'a list' : String(value);
}
