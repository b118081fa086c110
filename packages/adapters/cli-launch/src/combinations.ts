import { isRecord } from '@hexagent/checks';
import type { LaunchOptions } from '@hexagent/ports';

interface Refusal {
  readonly when: (options: LaunchOptions) => boolean;
  readonly message: string;
}

/** Combinations that the agent refuses or silently misreads. */
const refusals: readonly Refusal[] = [
  {
    when: ({ sessionId, resume, continue: continues, forkSession }) =>
      !!sessionId && (!!resume || continues === true) && forkSession !== true,
    message:
      'sessionId cannot be combined with resume or continue, which keep the id of the old session. Add forkSession: true, or leave sessionId out.',
  },
  {
    when: ({ resumeSessionAt, resume }) => !!resumeSessionAt && !resume,
    message: 'resumeSessionAt needs resume. Pass the id of the session that holds the message as resume.',
  },
  {
    when: ({ resumeDropsTurn, resumeSessionAt }) => !!resumeDropsTurn && !resumeSessionAt,
    message:
      'resumeDropsTurn needs resumeSessionAt. Pass the uuid of the last message that is kept as resumeSessionAt.',
  },
  {
    when: ({ model, fallbackModel }) => !!fallbackModel && fallbackModel === model,
    message: 'fallbackModel is the same as model. Pass another one, or leave it out.',
  },
  {
    when: ({ asksPermission, extraArgs }) =>
      asksPermission === true && isRecord(extraArgs) && extraArgs['permission-prompt-tool'] !== undefined,
    message: 'extraArgs names a permission-prompt-tool, and a permission callback is registered. Keep one of the two.',
  },
  {
    when: ({ asksPermission, extraArgs }) =>
      asksPermission === true && isRecord(extraArgs) && extraArgs['permission-prompts'] === 'none',
    message:
      'extraArgs has permission-prompts none, and a permission callback is registered, which would never be called. Keep one of the two.',
  },
  {
    when: ({ asksPermission, permissionPromptToolName }) => asksPermission === true && !!permissionPromptToolName,
    message:
      'permissionPromptToolName is given, and a permission callback is registered. Both would answer the same requests; keep one of the two.',
  },
  {
    when: ({ managedSettings, extraArgs }) =>
      !!managedSettings && isRecord(extraArgs) && extraArgs['managed-settings'] !== undefined,
    message:
      'managedSettings and extraArgs.managed-settings are both given, and the agent reads one of them. Put everything into managedSettings.',
  },
  {
    when: ({ settings, extraArgs }) => !!settings && isRecord(extraArgs) && !!extraArgs['settings'],
    message:
      'settings and extraArgs.settings are both given, and the agent reads one of them. Put everything into settings.',
  },
];

/** @throws {TypeError} for the first combination that is refused. */
export function refuseCombinations(options: LaunchOptions): void {
  const refused = refusals.find(({ when }) => when(options));
  if (refused !== undefined) throw new TypeError(refused.message);
}
