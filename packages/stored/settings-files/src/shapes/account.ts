import { object } from './objects.ts';
import {
  closing,
  either,
  type Fields,
  flag,
  integer,
  lenientToPersons,
  list,
  listOfReadable,
  matching,
  number,
  policyOnly,
  type Shape,
  someText,
  text,
  oneOf,
  unreadable,
} from './shape.ts';

/** `null` is as good as nothing. */
const orNull =
  (shape: Shape): Shape =>
  (value, author) =>
    value === null ? undefined : shape(value, author);

const mostMilliseconds = 2_147_483_647;

/** A list that cannot be read stays, as a network that no address is in: without it other networks would count. */
const networks: Shape = either(list(text), () => ['(unreadable)']);

/** A provider of a name that newer agents may know: a policy that allows it alone must not allow none. */
const newerProvider: Shape = (value, author) =>
  author === 'policy' ? matching(/^anthropic[A-Z][A-Za-z0-9]*$/)(value, author) : unreadable;

export const accountShapes: Fields = {
  apiKeyHelper: text,
  proxyAuthHelper: text,
  awsCredentialExport: text,
  awsAuthRefresh: text,
  gcpAuthRefresh: text,
  otelHeadersHelper: text,
  policyHelper: lenientToPersons(
    object(
      {
        path: text,
        timeoutMs: orNull(integer({ from: 1000, to: mostMilliseconds })),
        // 0 is never again.
        refreshIntervalMs: orNull(either(oneOf(0), integer({ from: 60_000, to: mostMilliseconds }))),
      },
      { needs: ['path'] },
    ),
  ),
  forceLoginMethod: lenientToPersons(oneOf('claudeai', 'console', 'gateway')),
  forceLoginGatewayUrl: lenientToPersons(someText),
  forceLoginOrgUUID: closing(either(text, list(text)), [], { unless: [] }),
  allowNestedModelAccessUnderForceLogin: flag,
  gatewayInternalNetworks: networks,
  allowedProviders: closing(
    lenientToPersons(
      listOfReadable(
        either(
          oneOf('anthropic', 'customEndpoint', 'bedrock', 'vertex', 'foundry', 'anthropicAws', 'mantle', 'gateway'),
          newerProvider,
        ),
      ),
    ),
    [],
    { unless: [] },
  ),
  parentSettingsBehavior: oneOf('first-wins', 'merge'),
  managedSourcesBehavior: oneOf('first-wins', 'merge'),
  forceRemoteSettingsRefresh: flag,
  wslInheritsWindowsSettings: flag,
  autoUpdatesChannel: oneOf('latest', 'stable', 'rc'),
  minimumVersion: text,
  requiredMinimumVersion: text,
  requiredMaximumVersion: text,
  companyAnnouncements: list(text),
  feedbackSurveyRate: number({ from: 0, to: 1 }),
  feedbackDrafts: closing(oneOf('notify', 'quiet', 'off'), 'off'),
  autoUploadSessions: closing(flag, false),
  attributionProjectPolicy: policyOnly(object({ default: text })),
};
