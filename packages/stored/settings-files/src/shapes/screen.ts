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
  oneOf,
} from './shape.ts';

const wait = lenientToPersons(oneOf('60s', '5m', '10m', 'never'));

export const screenShapes: Fields = {
  theme: lenientToPersons(
    either(
      oneOf('auto', 'dark', 'light', 'light-daltonized', 'dark-daltonized', 'light-ansi', 'dark-ansi'),
      matching(/^custom:/),
    ),
  ),
  tui: oneOf('default', 'fullscreen'),
  viewMode: lenientToPersons(oneOf('default', 'verbose', 'focus')),
  defaultView: oneOf('chat', 'transcript'),
  maxProseWidth: lenientToPersons(integer({ from: 40 })),
  statusLine: object(
    {
      type: oneOf('command'),
      command: text,
      padding: number(),
      refreshInterval: lenient(number({ from: 1 })),
      hideVimModeIndicator: flag,
    },
    { needs: ['type', 'command'] },
  ),
  subagentStatusLine: lenientToPersons(
    object({ type: oneOf('command'), command: text }, { needs: ['type', 'command'] }),
  ),
  footerLinksRegexes: lenientToPersons(listOfReadable(object({ type: text }, { needs: ['type'], keepsOthers: true }))),
  spinnerVerbs: object({ mode: oneOf('append', 'replace'), verbs: list(text) }, { needs: ['mode', 'verbs'] }),
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
  editorMode: lenientToPersons(oneOf('normal', 'vim')),
  keybindingFlavor: lenientToPersons(oneOf('classic', 'readline')),
  vimInsertModeRemaps: lenientToPersons(record(anything)),
  spellcheck: lenientToPersons(
    object(
      { enabled: lenient(flag), checker: lenient(text), language: lenient(text), color: lenient(text) },
      { keepsOthers: true },
    ),
  ),
  voice: object({ enabled: flag, mode: oneOf('hold', 'tap'), autoSubmit: flag }),
  disableDeepLinkRegistration: closing(oneOf('disable'), 'disable', { unless: [null, false] }),
  askUserQuestionTimeout: wait,
  dialogExpiry: wait,
  preferredNotifChannel: lenientToPersons(
    oneOf('auto', 'iterm2', 'terminal_bell', 'iterm2_with_bell', 'kitty', 'ghostty', 'notifications_disabled'),
  ),
};
