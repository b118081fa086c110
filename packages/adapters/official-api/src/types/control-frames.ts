/** A request on the wire, in either direction. */
export type SDKControlRequest = {
  type: 'control_request';
  request_id: string;
  request: { subtype: string; [field: string]: unknown };
};

type Pending = {
  pending_permission_requests?: SDKControlRequest[];
  pending_user_dialog_requests?: SDKControlRequest[];
  pending_elicitation_requests?: SDKControlRequest[];
};

/** The answer to a request. */
export type SDKControlResponse = {
  type: 'control_response';
  response:
    | ({ subtype: 'success'; request_id: string; response?: Record<string, unknown> } & Pending)
    | ({ subtype: 'error'; request_id: string; error: string } & Pending);
};
