import { isRecord, jsonCopy } from '@hexagent/checks';
import type { McpManifest, McpServer } from '@hexagent/ports';

/** `undefined` where the manifest cannot be made: the agent then asks the server itself. */
export function manifestOf(server: McpServer): McpManifest | undefined {
  try {
    const manifest: unknown = server.manifest?.();
    return isManifest(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** The tools that a server lists before it is opened, without those for which it has a policy. */
export function listedToolsOf(server: McpServer | undefined): readonly string[] {
  const { tools }: Readonly<Record<string, unknown>> = (server && manifestOf(server)?.toolsListResult) ?? {};
  const policies = new Set(server?.config?.tools?.map(({ name }) => name));
  return (Array.isArray(tools) ? tools : []).flatMap((tool: unknown) =>
    isRecord(tool) && typeof tool['name'] === 'string' && !policies.has(tool['name']) ? [tool['name']] : [],
  );
}

function isManifest(value: unknown): value is McpManifest {
  if (!isRecord(value) || !isRecord(value['initializeResult']) || !isRecord(value['toolsListResult'])) return false;
  return jsonCopy(value, { name: 'manifest' }).lost === undefined;
}
