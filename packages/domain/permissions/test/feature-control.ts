import type { FeatureControl, Warning } from '@hexagent/ports';
import type { RuleLists } from '../src/index.ts';

interface RuleSettings {
  readonly settings: { readonly permissions: RuleLists };
}

/** The agent as a feature of permissions reaches it. `take` answers each request by the rules that it brings. */
export function featureControl(
  take: (rules: RuleLists) => Promise<unknown>,
  warn: (warning: Warning) => void = () => {},
): FeatureControl {
  const request = async (_: string, fields: RuleSettings): Promise<unknown> => await take(fields.settings.permissions);
  return {
    // Only `apply_flag_settings` is sent, and its answer is not read.
    request: request as FeatureControl['request'],
    requestUntyped: () => Promise.reject(new Error('No other request is expected.')),
    observe: () => {},
    warn,
  };
}
