import { isRecord } from '@hexagent/checks';
import type { UserFrame, UserInput } from '@hexagent/ports';

/** A message of the program as it is written to the agent. What the program sets beside replaces nothing of it. */
export function toUserFrame({ content, uuid, priority, fields }: UserInput & { readonly uuid: string }): UserFrame {
  return {
    ...fields,
    type: 'user',
    // Members that a newer API has beside these two.
    message: { ...otherMembers(fields), role: 'user', content },
    parent_tool_use_id: textOf(fields, 'parent_tool_use_id') ?? null,
    session_id: textOf(fields, 'session_id') ?? '',
    uuid,
    ...(priority === undefined ? {} : { priority }),
  };
}

function otherMembers(fields: UserInput['fields']): object {
  const message = fields?.['message'];
  return isRecord(message) ? message : {};
}

function textOf(fields: UserInput['fields'], name: string): string | undefined {
  const value = fields?.[name];
  return typeof value === 'string' ? value : undefined;
}
