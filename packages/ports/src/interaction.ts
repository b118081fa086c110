/** Answers the requests to the user of an MCP server that the CLI dialled. */
export interface Elicitor {
  /** `null`: the request is answered elsewhere, as by its id among the pending requests of a session. */
  elicit(request: ElicitationRequest, context: InteractionContext): Promise<ElicitationAnswer | null>;
}

export interface InteractionContext {
  readonly requestId: string;
  /** Aborts when the agent withdraws the request: no answer is needed any more. */
  readonly signal: AbortSignal;
}

export interface ElicitationRequest {
  readonly mcp_server_name: string;
  readonly message: string;
  readonly mode?: 'form' | 'url';
  readonly requested_schema?: Readonly<Record<string, unknown>>;
  readonly url?: string;
  readonly elicitation_id?: string;
  readonly title?: string;
  readonly display_name?: string;
  readonly description?: string;
}

/** What a person answers to an MCP server. */
export interface ElicitationAnswer {
  /** Whether the person answered, refused, or left the question. */
  readonly action: 'accept' | 'decline' | 'cancel';
  /** The fields that the server asked for. */
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

/** Shows the dialogs the agent asks for; only kinds declared at launch are asked. */
export interface DialogHost {
  /** `null`: the dialog is answered elsewhere, as by its id. */
  show(request: DialogRequest, context: InteractionContext): Promise<DialogAnswer | null>;
}

export interface DialogRequest {
  readonly dialog_kind: string;
  readonly payload?: unknown;
  readonly [field: string]: unknown;
}

/** What a person did with a dialog. */
export type DialogAnswer =
  | {
      readonly behavior: 'completed';
      /** What the dialog is for, as its kind defines it. */
      readonly result: unknown;
    }
  | { readonly behavior: 'cancelled' };
