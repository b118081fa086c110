import { anyText, type Check, flag, isList, list, number, oneOf, record, refuse, source } from '@hexagent/checks';
import type { SystemPrompt, Thinking } from '@hexagent/ports';
import type { SessionOptions } from '../session-options.ts';

const preset = { type: oneOf('preset'), preset: oneOf('claude_code') };
const wholePrompt = 'a string, a list of strings, or { type: "preset", preset: "claude_code" }';
const presetPrompt = record<Extract<SystemPrompt, { readonly type: 'preset' }>>(
  { ...preset, append: anyText, excludeDynamicSections: flag },
  { required: ['type', 'preset'], wanted: wholePrompt },
);
export const systemPrompt: Check<SystemPrompt> = (value, place) => {
  if (typeof value === 'string') return anyText(value, place);
  return isList(value, place) ? list(anyText)(value, place) : presetPrompt(value, place);
};

const settingsLevel = oneOf('none', 'project', 'user');
const settingsSources = list(source, '"none", "project", "user", or a list of "user", "project", "local"');
export const settings: Check<NonNullable<SessionOptions['settings']>> = (value, place) =>
  typeof value === 'string' ? settingsLevel(value, place) : settingsSources(value, place);

const anyThinking = record<{ readonly type: Thinking['type']; readonly budgetTokens?: number }>(
  { type: oneOf('adaptive', 'enabled', 'disabled'), budgetTokens: number({ least: 0, whole: true }) },
  { required: ['type'], wanted: '{ type } with a type of adaptive, enabled or disabled' },
);
export const thinking: Check<Thinking> = (value, place) => {
  const { type, budgetTokens } = anyThinking(value, place);
  if (type === 'enabled') return { type, budgetTokens };
  if (budgetTokens !== undefined) throw refuse(`${place}.budgetTokens`, `left out where type is "${type}"`, 'given');
  return { type };
};
