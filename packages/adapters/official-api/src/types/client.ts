/* oxlint-disable typescript/consistent-type-imports -- an import statement cannot be left out where the client is missing */
/*
 * The types of the API client `@anthropic-ai/sdk` that a program has beside this package, in whatever version: what
 * arrives can be handed to that client's functions. A program without a client needs none; then the forms in `api.ts`
 * take their place, and nothing becomes `any`.
 */

/** Without a client its types are unresolved. Only inside a tuple does TypeScript distinguish that from a type. */
export type OrOwn<Client, Own> = [unknown] extends [Client] ? Own : Client;

/** @ts-ignore The client may not be installed. */
export type ClientMessage = import('@anthropic-ai/sdk/resources/beta/messages/messages.mjs').BetaMessage;

/** @ts-ignore The client may not be installed. */
export type ClientEvent = import('@anthropic-ai/sdk/resources/beta/messages/messages.mjs').BetaRawMessageStreamEvent;

/** @ts-ignore The client may not be installed. */
export type ClientUsage = import('@anthropic-ai/sdk/resources/beta/messages/messages.mjs').BetaUsage;

/** @ts-ignore The client may not be installed. */
export type ClientMessageParam = import('@anthropic-ai/sdk/resources').MessageParam;
