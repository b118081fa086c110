/** What JSON can hold. */
export type JsonValue = null | string | number | boolean | JsonValue[] | JsonObject;

export type JsonObject = { [key: string]: JsonValue | undefined };

/** What a part carries beside its content, by who put it there. */
export type UiProviderMetadata = { [provider: string]: JsonObject };
