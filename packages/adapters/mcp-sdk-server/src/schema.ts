/** A schema of zod since 3.24, or of any library that follows the Standard Schema. Structural: no library is imported. */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
    /** Zod has it since 4.2, except in zod/mini. */
    readonly jsonSchema?:
      | {
          readonly input: (options: {
            readonly target: string;
            readonly libraryOptions?: Record<string, unknown>;
          }) => Record<string, unknown>;
        }
      | undefined;
  };
}

export type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The fields of an object, each with its schema: `{ city: z.string() }`. */
export type RawShape = { readonly [key: string]: StandardSchema };

/** A JSON Schema as plain data, by which the arguments are checked. */
export interface JsonSchema {
  readonly type: 'object';
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly [keyword: string]: unknown;
}

/** The forms of a schema that a tool accepts. */
export type ToolSchema = StandardSchema | RawShape | JsonSchema;

type OutputOf<Schema> = Schema extends StandardSchema ? NonNullable<Schema['~standard']['types']>['output'] : never;

/** What a handler receives: parsed, with defaults filled in and transforms applied. */
export type InferArgs<Schema extends ToolSchema> = Schema extends StandardSchema
  ? OutputOf<Schema>
  : Schema extends JsonSchema
    ? Readonly<Record<string, unknown>>
    : { [Key in keyof Schema]: OutputOf<Schema[Key]> };

/** The official name of {@link RawShape}. */
export type AnyZodRawShape = RawShape;

/** The official name of what a handler receives of a shape. */
export type InferShape<Shape extends AnyZodRawShape> = InferArgs<Shape>;
