/** Names that exist and throw or reject `NOT_SUPPORTED_YET` when they are called. May only get shorter. */
export const notBuilt: readonly string[] = ['resolveSettings'];
