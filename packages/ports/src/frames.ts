/*
 * One line of the wire. Control frames stop in the protocol; everything else is a message.
 */

/** The agent asks something of the program. */
export interface ControlRequestFrame {
  readonly type: 'control_request';
  readonly request_id: string;
  readonly request: ControlRequest;
}

/** The request: `subtype` names it, the other fields belong to it. */
export interface ControlRequest {
  readonly subtype: string;
  readonly [field: string]: unknown;
}

export interface ControlResponseFrame {
  readonly type: 'control_response';
  readonly response: ControlResponse;
}

export type ControlResponse =
  | {
      readonly subtype: 'success';
      /** The request's own, of whatever type it was; absent where that had none. */
      readonly request_id?: unknown;
      readonly response?: Readonly<Record<string, unknown>> | undefined;
    }
  | {
      readonly subtype: 'error';
      readonly request_id?: unknown;
      readonly error: string;
      readonly error_code?: string | undefined;
    };

/** A request is withdrawn: its handler may stop. */
export interface ControlCancelFrame {
  readonly type: 'control_cancel_request';
  readonly request_id: string;
}

/** A part of the session's transcript, for a session store; only with a launch that asks for it. */
export interface TranscriptMirrorFrame {
  readonly type: 'transcript_mirror';
  readonly filePath: string;
  readonly entries: readonly unknown[];
}

/** Anything the agent may write on a line. */
export interface Frame {
  readonly type: string;
}

/** A user message on its way to the agent. */
export interface UserFrame {
  readonly type: 'user';
  readonly message: { readonly role: 'user'; readonly content: unknown };
  readonly parent_tool_use_id: string | null;
  readonly session_id: string;
  readonly uuid?: string | undefined;
  readonly priority?: string | undefined;
}

/** The frames that the SDK writes. The agent exits at one malformed line, so each line is checked. */
export type OutboundFrame = UserFrame | ControlRequestFrame | ControlResponseFrame | ControlCancelFrame;

/** Reads and writes lines of the wire: checks their form, and does not interpret them. */
export interface FrameParser {
  /**
   * Returns the very object the line holds, or `undefined` for a line of white space. A frame of a supported type that
   * fails its check is returned all the same, after `suspect` received the reason; without `suspect` it is not checked.
   * @throws {SdkError} `FRAME_MALFORMED` when the line is not a JSON object with a `type`.
   */
  parse(line: string, suspect?: (reason: string) => void): Frame | undefined;
  /**
   * One line, without its ending. With `isJson` the frame holds nothing but what `jsonCopy` has made and texts, so that
   * a parser need not check for what JSON cannot represent.
   * @throws {SdkError} `FRAME_INVALID` for a frame that would end the agent, or that JSON cannot represent.
   */
  stringify(frame: OutboundFrame, options?: { readonly isJson?: boolean }): string;
}
