// Any text is accepted; an editor suggests these.
type AnyText = string & {};
type Wait = '60s' | '5m' | '10m' | 'never';

/** Display and sounds of the terminal. Without effect on a program. */
export interface ScreenSettings {
  theme?: 'auto' | 'dark' | 'light' | 'light-daltonized' | 'dark-daltonized' | 'light-ansi' | 'dark-ansi' | AnyText;
  tui?: 'default' | 'fullscreen';
  viewMode?: 'default' | 'verbose' | 'focus';
  defaultView?: 'chat' | 'transcript';
  verbose?: boolean;
  maxProseWidth?: number;
  syntaxHighlightingDisabled?: boolean;
  prefersReducedMotion?: boolean;
  timeFormat?: 'auto' | '12-hour' | '24-hour' | '24-hour-utc' | AnyText;
  timeZone?: string;
  statusLine?: {
    type: 'command';
    command: string;
    padding?: number;
    refreshInterval?: number;
    hideVimModeIndicator?: boolean;
  };
  subagentStatusLine?: { type: 'command'; command: string };
  footerLinksRegexes?: (
    | { type: 'regex'; pattern: string; url: string; label?: string; [key: string]: unknown }
    | { type: string; [key: string]: unknown }
  )[];
  showTurnDuration?: boolean;
  showMessageTimestamps?: boolean;
  terminalProgressBarEnabled?: boolean;
  terminalTitleFromRename?: boolean;
  autoScrollEnabled?: boolean;
  wheelScrollAccelerationEnabled?: boolean;

  spinnerTipsEnabled?: boolean;
  spinnerVerbs?: { mode: 'append' | 'replace'; verbs: string[] };
  spinnerTipsOverride?: {
    excludeDefault?: boolean;
    tips?: (string | { [key: string]: unknown })[];
    tipsFile?: string;
    label?: string;
    [key: string]: unknown;
  };

  editorMode?: 'normal' | 'vim';
  keybindingFlavor?: 'classic' | 'readline';
  vimInsertModeRemaps?: { [keys: string]: unknown };
  spellcheck?: { enabled?: boolean; checker?: string; language?: string; color?: string; [key: string]: unknown };
  emojiCompletionEnabled?: boolean;
  promptSuggestionEnabled?: boolean;
  voiceEnabled?: boolean;
  voice?: { enabled?: boolean; mode?: 'hold' | 'tap'; autoSubmit?: boolean };
  disableDeepLinkRegistration?: 'disable';

  showClearContextOnPlanAccept?: boolean;
  /** How long a question to a person waits for an answer. */
  askUserQuestionTimeout?: Wait;
  dialogExpiry?: Wait;
  preferredNotifChannel?:
    | 'auto'
    | 'iterm2'
    | 'terminal_bell'
    | 'iterm2_with_bell'
    | 'kitty'
    | 'ghostty'
    | 'notifications_disabled';
  inputNeededNotifEnabled?: boolean;
  agentPushNotifEnabled?: boolean;
}
