/** A value that JSON can carry. */
export type JsonValue = null | string | number | boolean | JsonValue[] | JsonObject;

export type JsonObject = { [key: string]: JsonValue | undefined };

/** Metadata of a part beside its content, by its provider. */
export type UiProviderMetadata = { [provider: string]: JsonObject };
