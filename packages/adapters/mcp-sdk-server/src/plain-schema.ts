import { isRecord } from '@hexagent/checks';
import type { Fields } from './json-rpc.ts';
import { mapValues } from './map-schemas.ts';
import { checkType, keywordMap, leaves, type PlainCheck } from './plain-keywords.ts';

/**
 * Compiles a JSON Schema as plain data, in the dialect 2020-12. Not checked are `format`, `content…`, `unevaluated…` and
 * `$dynamicRef`, which the model reads all the same.
 * @throws {TypeError} for a reference without a target and for a malformed keyword, naming the place.
 */
export function compilePlain(schema: Fields, place: string): PlainCheck {
  return new Compiler(schema, place).compile(schema, '#');
}

const none: PlainCheck = () => [];

/** Makes one check of a keyword's value; `schema` is the object that contains the keyword, `at` its place in the whole. */
type Keyword = (value: unknown, schema: Fields, at: string) => PlainCheck;

class Compiler {
  readonly #root: Fields;
  readonly #place: string;
  /** The checks by schema, so that a schema which contains itself is compiled once. */
  readonly #compiled = new Map<unknown, PlainCheck>();

  constructor(root: Fields, place: string) {
    this.#root = root;
    this.#place = place;
  }

  compile(schema: unknown, at: string): PlainCheck {
    if (schema === false) return (_, path) => [`${prefix(path)}not allowed`];
    if (!isRecord(schema)) return none;
    const existing = this.#compiled.get(schema);
    if (existing !== undefined) return existing;
    let check: PlainCheck = none;
    this.#compiled.set(schema, (value, path) => check(value, path));
    check = this.#checkOf(schema, at);
    return check;
  }

  #checkOf(schema: Fields, at: string): PlainCheck {
    const { type, ...rest } = schema;
    const isOfType = checkType(type, (why) => this.#malformed(`${at}/type`, why));
    const checks = Object.entries(rest).map(([key, value]) => this.#keyword(key, value, schema, at));
    // A value of the wrong type would fail the other keywords too, and the first reason is the one that counts.
    return (value, path) => {
      const wrongType = isOfType(value, path);
      return wrongType.length > 0 ? wrongType : checks.flatMap((check) => check(value, path));
    };
  }

  #keyword(key: string, value: unknown, schema: Fields, at: string): PlainCheck {
    const where = `${at}/${key}`;
    const leaf = leaves.get(key);
    if (leaf !== undefined) return leaf(value, (why) => this.#malformed(where, why));
    return this.#applicators.get(key)?.(value, schema, where) ?? none;
  }

  readonly #applicators: ReadonlyMap<string, Keyword> = keywordMap<Keyword>({
    $ref: (value, _, at) => this.#reference(value, at),
    allOf: (value, _, at) => all(this.#list(value, at)),
    anyOf: (value, _, at) => this.#anyOf(value, at),
    oneOf: (value, _, at) => this.#oneOf(value, at),
    not: (value, _, at) => {
      const check = this.compile(value, at);
      return (given, path) => (check(given, path).length > 0 ? [] : [`${prefix(path)}of a form that is excluded`]);
    },
    if: (value, schema, at) => this.#condition(value, schema, at),
    properties: (value, _, at) => this.#properties(value, at),
    patternProperties: (value, _, at) => this.#patterns(value, at),
    additionalProperties: (value, schema, at) => this.#additional(value, schema, at),
    propertyNames: (value, _, at) => {
      const check = this.compile(value, at);
      return onObject((given, path) =>
        Object.keys(given).flatMap((key) => check(key, joined(path, key)).map((why) => `${why} (its name)`)),
      );
    },
    dependentSchemas: (value, _, at) => this.#dependent(value, at),
    // In older dialects also for `dependentRequired`.
    dependencies: (value, _, at) =>
      this.#dependent(
        isRecord(value) ? mapValues(value, (one) => (Array.isArray(one) ? { required: one } : one)) : value,
        at,
      ),
    prefixItems: (value, _, at) => this.#prefixItems(value, at),
    // A list was the form of `prefixItems` in older dialects, and `additionalItems` that of `items` beside it.
    items: (value, schema, at) =>
      Array.isArray(value) ? this.#prefixItems(value, at) : this.#items(value, schema, at),
    additionalItems: (value, { items }, at) =>
      Array.isArray(items) ? this.#items(value, { prefixItems: items }, at) : none,
    contains: (value, schema, at) => this.#contains(value, schema, at),
  });

  #reference(value: unknown, at: string): PlainCheck {
    const seen = new Set<unknown>();
    let pointer = value;
    for (;;) {
      const target = typeof pointer === 'string' ? targetOf(pointer, this.#root) : undefined;
      if (target === undefined)
        throw this.#malformed(at, `points to ${String(pointer)}, which the schema does not have`);
      if (seen.has(target)) throw this.#malformed(at, 'points to itself');
      seen.add(target);
      if (!isRecord(target) || target['$ref'] === undefined)
        return this.compile(targetOf(String(value), this.#root), at);
      pointer = target['$ref'];
    }
  }

  #anyOf(value: unknown, at: string): PlainCheck {
    const checks = this.#list(value, at);
    return (given, path) => {
      const found = checks.map((check) => check(given, path));
      return found.some((problems) => problems.length === 0) ? [] : [noneOf(found, path)];
    };
  }

  #oneOf(value: unknown, at: string): PlainCheck {
    const checks = this.#list(value, at);
    return (given, path) => {
      const found = checks.map((check) => check(given, path));
      const fitting = found.filter((problems) => problems.length === 0).length;
      if (fitting === 1) return [];
      return [fitting === 0 ? noneOf(found, path) : `${prefix(path)}of several forms of which only one is allowed`];
    };
  }

  #condition(value: unknown, schema: Fields, at: string): PlainCheck {
    const condition = this.compile(value, at);
    const yes = this.compile(schema['then'], `${at}/then`);
    const no = this.compile(schema['else'], `${at}/else`);
    return (given, path) => (condition(given, path).length === 0 ? yes : no)(given, path);
  }

  #properties(value: unknown, at: string): PlainCheck {
    const checks = this.#named(value, at);
    return onObject((given, path) =>
      checks.flatMap(([key, check]) => (Object.hasOwn(given, key) ? check(given[key], joined(path, key)) : [])),
    );
  }

  #patterns(value: unknown, at: string): PlainCheck {
    const checks = this.#named(value, at).map(([key, check]) => [this.#pattern(key, at), check] as const);
    return onObject((given, path) =>
      checks.flatMap(([pattern, check]) =>
        Object.keys(given)
          .filter((key) => pattern.test(key))
          .flatMap((key) => check(given[key], joined(path, key))),
      ),
    );
  }

  #additional(value: unknown, { properties, patternProperties }: Fields, at: string): PlainCheck {
    const check = this.compile(value, at);
    const patterns = this.#named(patternProperties, at).map(([key]) => this.#pattern(key, at));
    const isNamed = (key: string): boolean =>
      (isRecord(properties) && Object.hasOwn(properties, key)) || patterns.some((pattern) => pattern.test(key));
    return onObject((given, path) =>
      Object.keys(given)
        .filter((key) => !isNamed(key))
        .flatMap((key) => check(given[key], joined(path, key))),
    );
  }

  #dependent(value: unknown, at: string): PlainCheck {
    const checks = this.#named(value, at);
    return onObject((given, path) =>
      checks.flatMap(([key, check]) => (Object.hasOwn(given, key) ? check(given, path) : [])),
    );
  }

  #prefixItems(value: unknown, at: string): PlainCheck {
    const checks = this.#list(value, at);
    return onList((given, path) =>
      given.slice(0, checks.length).flatMap((item, index) => checks[index]?.(item, joined(path, index)) ?? []),
    );
  }

  #items(value: unknown, { prefixItems }: Fields, at: string): PlainCheck {
    const check = this.compile(value, at);
    const first = Array.isArray(prefixItems) ? prefixItems.length : 0;
    return onList((given, path) =>
      given.slice(first).flatMap((item, index) => check(item, joined(path, index + first))),
    );
  }

  #contains(value: unknown, { minContains = 1, maxContains = Infinity }: Fields, at: string): PlainCheck {
    const check = this.compile(value, at);
    return onList((given, path) => {
      const count = given.filter((item) => check(item, '').length === 0).length;
      if (count >= Number(minContains) && count <= Number(maxContains)) return [];
      return [`${prefix(path)}has ${count} items of the form that it must contain`];
    });
  }

  #list(value: unknown, at: string): readonly PlainCheck[] {
    if (!Array.isArray(value)) throw this.#malformed(at, 'must be a list of schemas');
    return value.map((schema: unknown, index) => this.compile(schema, `${at}/${index}`));
  }

  #named(value: unknown, at: string): readonly (readonly [string, PlainCheck])[] {
    if (value === undefined) return [];
    if (!isRecord(value)) throw this.#malformed(at, 'must be an object of schemas');
    return Object.entries(value).map(([key, schema]) => [key, this.compile(schema, `${at}/${key}`)] as const);
  }

  #pattern(source: string, at: string): RegExp {
    try {
      return new RegExp(source, 'u');
    } catch {
      throw this.#malformed(at, `has ${source}, which is no regular expression`);
    }
  }

  #malformed(at: string, why: string): TypeError {
    return new TypeError(`${this.#place} is no valid JSON Schema: \`${at}\` ${why}.`);
  }
}

/** The value at a JSON Pointer of the form `#/a/b`. */
export function targetOf(pointer: string, root: Fields): unknown {
  if (pointer === '#') return root;
  if (!pointer.startsWith('#/')) return undefined;
  const keys = pointer
    .slice(2)
    .split('/')
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'));
  return keys.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined,
    root,
  );
}

const all =
  (checks: readonly PlainCheck[]): PlainCheck =>
  (value, path) =>
    checks.flatMap((check) => check(value, path));

const noneOf = (found: readonly (readonly string[])[], path: string): string =>
  `${prefix(path)}of none of the allowed forms (${found.map((problems) => problems.join('; ')).join(' | ')})`;

const onObject =
  (check: (value: Fields, path: string) => readonly string[]): PlainCheck =>
  (value, path) =>
    isRecord(value) ? check(value, path) : [];

const onList =
  (check: (value: readonly unknown[], path: string) => readonly string[]): PlainCheck =>
  (value, path) =>
    Array.isArray(value) ? check(value, path) : [];

const prefix = (path: string): string => (path === '' ? '' : `${path}: `);
const joined = (path: string, key: string | number): string => (path === '' ? String(key) : `${path}.${key}`);
