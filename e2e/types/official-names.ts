import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { official } from './facade.ts';

export interface OfficialName {
  readonly name: string;
  /** It exists at run time. */
  readonly isValue: boolean;
  /** It stands for a type; a class stands for both. */
  readonly isType: boolean;
  /** It needs type arguments, so it cannot be compared by itself. */
  readonly isGeneric: boolean;
}

/** What the installed official package exports, read from the names in its type file. */
export function officialNames(): readonly OfficialName[] {
  const types = join(dirname(fileURLToPath(import.meta.resolve(official))), 'sdk.d.ts');
  const statements = readFileSync(types, 'utf8').matchAll(
    /^export declare (type|interface|class|function|const) (\w+)(<[^=>]+[,>])?/gm,
  );
  return [...statements].map(([, kind = '', name = '', parameters]) => ({
    name,
    isValue: ['class', 'function', 'const'].includes(kind),
    isType: ['class', 'type', 'interface'].includes(kind),
    isGeneric: parameters !== undefined,
  }));
}
