import type { ChatAnswer, CliPermissionMode } from '@hexagent/ports';
import { isRecord } from '@hexagent/checks';
import { optionalFlag, optionalOneOf, optionalText, readFields } from './fields.ts';
import { Refusal } from './refusal.ts';

const names = ['approved', 'reason', 'interrupt', 'suggestions', 'answers', 'plan', 'permissionMode'] as const;

/**
 * The body of an answer to an approval. What the tool is called with cannot be changed by it: a person approves what was
 * shown.
 * @throws {Refusal} for anything but an answer.
 */
export function toAnswer(body: unknown, permissionModes: readonly CliPermissionMode[]): ChatAnswer {
  const fields = readFields(body, names, 'The answer');
  const approved = optionalFlag(fields.approved, 'approved');
  if (approved === undefined) throw new Refusal('BAD_REQUEST', '`approved` must be true or false.');
  return {
    approved,
    reason: optionalText(fields.reason, 'reason'),
    interrupt: optionalFlag(fields.interrupt, 'interrupt'),
    suggestions: toPositions(fields.suggestions),
    answers: toAnswers(fields.answers),
    plan: optionalText(fields.plan, 'plan'),
    permissionMode: optionalOneOf(fields.permissionMode, permissionModes, 'permissionMode'),
  };
}

function toPositions(value: unknown): readonly number[] | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((each) => Number.isInteger(each) && each >= 0)) return [...new Set(value)];
  throw new Refusal('BAD_REQUEST', '`suggestions` must be a list of positions, counted from 0.');
}

function toAnswers(value: unknown): Readonly<Record<string, string | readonly string[]>> | undefined {
  if (value === undefined) return undefined;
  if (isRecord(value) && Object.values(value).every(isAnswer))
    return Object.fromEntries(Object.entries(value).filter(isEntry));
  throw new Refusal('BAD_REQUEST', '`answers` must be an object with a text, or a list of texts, for each question.');
}

function isEntry(entry: [string, unknown]): entry is [string, string | readonly string[]] {
  return isAnswer(entry[1]);
}

function isAnswer(value: unknown): value is string | readonly string[] {
  return typeof value === 'string' || (Array.isArray(value) && value.every((each) => typeof each === 'string'));
}
