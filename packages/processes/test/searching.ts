import { findCli, type FoundProgram, type HostEnvironment } from '@hexagent/processes';
import { drawHost, type Drawing } from './drawn-host.ts';

export const sdk = '@anthropic-ai/claude-agent-sdk';
export const code = '@anthropic-ai/claude-code';

export function found(host: HostEnvironment, executable?: string): FoundProgram {
  const search = findCli(host, executable);
  if ('failure' in search) throw new Error(search.message);
  return search;
}

export const pathOf = (drawing: Drawing, executable?: string): string => found(drawHost(drawing), executable).path;

export function failureOf(
  drawing: Drawing,
  executable?: string,
): { readonly failure: string; readonly message: string } {
  const search = findCli(drawHost(drawing), executable);
  if ('failure' in search) return search;
  throw new Error(`It was found: ${search.path}`);
}
