import { object, record } from './objects.ts';
import {
  anything,
  closing,
  either,
  type Fields,
  flag,
  integer,
  lenient,
  lenientToPersons,
  list,
  listOfReadable,
  matching,
  number,
  text,
  word,
} from './shape.ts';

const wait = lenientToPersons(word('60s', '5m', '10m', 'never'));

export const screenShapes: Fields = {
  theme: lenientToPersons(
    either(
      word('auto', 'dark', 'light', 'light-daltonized', 'dark-daltonized', 'light-ansi', 'dark-ansi'),
      matching(/^custom:/),
    ),
  ),
  tui: word('default', 'fullscreen'),
  viewMode: lenientToPersons(word('default', 'verbose', 'focus')),
  defaultView: word('chat', 'transcript'),
  verbose: flag,
  maxProseWidth: lenientToPersons(integer({ from: 40 })),
  syntaxHighlightingDisabled: flag,
  prefersReducedMotion: flag,
  timeFormat: text,
  timeZone: text,
  statusLine: object(
    {
      type: word('command'),
      command: text,
      padding: number(),
      refreshInterval: lenient(number({ from: 1 })),
      hideVimModeIndicator: flag,
    },
    { needs: ['type', 'command'] },
  ),
  subagentStatusLine: lenientToPersons(
    object({ type: word('command'), command: text }, { needs: ['type', 'command'] }),
  ),
  footerLinksRegexes: lenientToPersons(listOfReadable(object({ type: text }, { needs: ['type'], keepsOthers: true }))),
  showTurnDuration: flag,
  showMessageTimestamps: flag,
  terminalProgressBarEnabled: flag,
  terminalTitleFromRename: flag,
  autoScrollEnabled: flag,
  wheelScrollAccelerationEnabled: flag,
  spinnerTipsEnabled: flag,
  spinnerVerbs: object({ mode: word('append', 'replace'), verbs: list(text) }, { needs: ['mode', 'verbs'] }),
  spinnerTipsOverride: lenientToPersons(
    object(
      {
        excludeDefault: lenient(flag),
        tips: either(listOfReadable(either(text, record(anything))), () => []),
        tipsFile: lenient(text),
        label: lenient(text),
      },
      { keepsOthers: true },
    ),
  ),
  editorMode: lenientToPersons(word('normal', 'vim')),
  keybindingFlavor: lenientToPersons(word('classic', 'readline')),
  vimInsertModeRemaps: lenientToPersons(record(anything)),
  spellcheck: lenientToPersons(
    object(
      { enabled: lenient(flag), checker: lenient(text), language: lenient(text), color: lenient(text) },
      { keepsOthers: true },
    ),
  ),
  emojiCompletionEnabled: flag,
  promptSuggestionEnabled: flag,
  voiceEnabled: flag,
  voice: object({ enabled: flag, mode: word('hold', 'tap'), autoSubmit: flag }),
  disableDeepLinkRegistration: closing(word('disable'), 'disable', { unless: [null, false] }),
  showClearContextOnPlanAccept: flag,
  askUserQuestionTimeout: wait,
  dialogExpiry: wait,
  preferredNotifChannel: lenientToPersons(
    word('auto', 'iterm2', 'terminal_bell', 'iterm2_with_bell', 'kitty', 'ghostty', 'notifications_disabled'),
  ),
  inputNeededNotifEnabled: flag,
  agentPushNotifEnabled: flag,
};
