import { isRecord, jsonCopy } from '@hexagent/checks';
import type { McpManifest, McpServer } from '@hexagent/ports';

/** A manifest that cannot be made is no reason to fail: the agent asks, and the server answers then. */
export function manifestOf(server: McpServer): McpManifest | undefined {
  try {
    const manifest: unknown = server.manifest?.();
    return isManifest(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

function isManifest(value: unknown): value is McpManifest {
  if (!isRecord(value) || !isRecord(value['initializeResult']) || !isRecord(value['toolsListResult'])) return false;
  return jsonCopy(value, { name: 'manifest' }).lost === undefined;
}
