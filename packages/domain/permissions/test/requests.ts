import type { PermissionAnswer, PermissionContext, PermissionRequest } from '@hexagent/ports';
import { type PermissionServiceOptions } from '../src/index.ts';
import { serviceOf } from './policy-of.ts';

export const context: PermissionContext = { requestId: 'r1', signal: new AbortController().signal };

export function request(tool: string, fields: Partial<PermissionRequest> = {}): PermissionRequest {
  return { tool_name: tool, input: { command: 'touch a' }, tool_use_id: 'toolu_1', ...fields };
}

/** The decision of a service with these options about this request. */
export async function decide(
  options: Omit<PermissionServiceOptions, 'commands'>,
  asked: PermissionRequest | string,
): Promise<PermissionAnswer | null> {
  return await serviceOf(options).decide(typeof asked === 'string' ? request(asked) : asked, context);
}
