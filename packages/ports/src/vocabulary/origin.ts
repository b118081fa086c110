/** Who a user's message comes from. */
export type MessageOrigin =
  | { readonly kind: 'human' }
  | { readonly kind: 'channel'; readonly server: string }
  | PeerOrigin
  | TaskNotificationOrigin
  | { readonly kind: 'coordinator' }
  | { readonly kind: 'unclassified' }
  | { readonly kind: 'observer'; readonly from: string; readonly senderTaskId: string }
  | { readonly kind: 'auto-continuation' }
  | { readonly kind: 'observer-activity' };

/** Another session or subagent. */
export interface PeerOrigin {
  readonly kind: 'peer';
  /** As the sender names itself, which anybody can forge. */
  readonly from: string;
  readonly fromMode?: 'bypass' | 'prompting';
  readonly name?: string;
  readonly fromSession?: string;
  readonly senderTaskId?: string;
  readonly body?: string;
  /** Of the process that connected, as the operating system reports it. */
  readonly verifiedPeerPid?: number;
}

/** Something that ran in the background and reports back. */
export interface TaskNotificationOrigin {
  readonly kind: 'task-notification';
  readonly subkind?: 'scheduled-trigger' | 'peer-send-message' | 'projects-relay' | 'session-inbox';
  readonly fireReason?: string;
  readonly runId?: string;
}
