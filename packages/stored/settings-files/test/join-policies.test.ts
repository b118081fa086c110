import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveSettings, type ResolvedSettings } from '../src/index.ts';

type Policy = Readonly<Record<string, unknown>>;

async function joined(machine: Policy, server: Policy): Promise<ResolvedSettings> {
  const root = await mkdtemp(path.join(tmpdir(), 'joined-policies-'));
  try {
    await mkdir(path.join(root, 'policy'));
    await writeFile(path.join(root, 'policy/managed-settings.json'), JSON.stringify(machine));
    return await resolveSettings({
      cwd: root,
      configDir: path.join(root, 'config'),
      fileSources: [],
      platform: 'linux',
      policyFolder: path.join(root, 'policy'),
      policyOfServer: server,
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const merge = { managedSourcesBehavior: 'merge' };
const mcpServer = (url: string, more: object = {}): object => ({ a: { type: 'http', url, ...more } });

// What is expected here was recorded from the official package, with its folder of policies in a namespace of its own.
describe('A policy of the server beside one of the machine', () => {
  it.each<[string, Policy, Policy, Policy]>([
    ['counts alone', { model: 'm', availableModels: ['m'] }, { agent: 's' }, { agent: 's' }],
    [
      'has the variables of the machine, and its own over them',
      { env: { A: 'm', B: 'm' }, model: 'm' },
      { env: { A: 's' } },
      { env: { A: 's', B: 'm' } },
    ],
    [
      'has the sign-in that the machine asks for',
      { forceLoginMethod: 'console', forceLoginOrgUUID: ['m'] },
      { forceLoginMethod: 'claudeai', forceLoginOrgUUID: ['s'] },
      { forceLoginMethod: 'console', forceLoginOrgUUID: ['m'] },
    ],
    ['decides on a gateway', { forceLoginMethod: 'gateway' }, { model: 's' }, { model: 's' }],
    [
      'is refreshed where the machine asks for it',
      { forceRemoteSettingsRefresh: true },
      { forceRemoteSettingsRefresh: false },
      { forceRemoteSettingsRefresh: true },
    ],
    [
      'gives way where it says nothing',
      { model: 'm' },
      { voice: {}, wslInheritsWindowsSettings: true },
      { model: 'm' },
    ],
    ['is not shown how it is joined', { model: 'm', ...merge }, {}, { model: 'm' }],
  ])('%s', async (_, machine, server, effective) => {
    expect((await joined(machine, server)).effective).toEqual(effective);
  });

  it.each<[string, Policy, Policy, Policy]>([
    [
      'has its own value before that of the machine',
      { model: 'm', agent: 'm' },
      { model: 's' },
      { model: 's', agent: 'm' },
    ],
    ['begins each list', { deniedModels: ['m', 'x'] }, { deniedModels: ['s', 'x'] }, { deniedModels: ['s', 'x', 'm'] }],
    ['replaces lists of what is allowed', { availableModels: ['m'] }, { availableModels: [] }, { availableModels: [] }],
    [
      'has the lists that it leaves out',
      { availableModels: ['m'] },
      { model: 's' },
      { availableModels: ['m'], model: 's' },
    ],
    [
      'alone runs programs, and says where to sign in',
      { apiKeyHelper: 'm', policyHelper: { path: '/m' }, forceLoginGatewayUrl: 'https://m.example' },
      { model: 's' },
      { model: 's' },
    ],
    ['alone has a mode to begin in', { permissions: { defaultMode: 'plan' } }, { model: 's' }, { model: 's' }],
    [
      'has the stricter of two flags',
      { disableAllHooks: true, disableArtifact: false, enableArtifact: false, channelsEnabled: true },
      { disableAllHooks: false, disableArtifact: false, enableArtifact: true },
      { disableAllHooks: true, disableArtifact: false, enableArtifact: false },
    ],
    [
      'has nothing that the machine only loosens',
      { allowManagedHooksOnly: false, sandbox: { credentials: { sigv4: { streaming: 'passthrough' } } } },
      { model: 's' },
      { model: 's' },
    ],
    [
      'has the stricter of two words',
      { maxEffortLevel: 'low', crossSessionInbound: 'hold', worktree: { bgIsolation: 'worktree' } },
      { maxEffortLevel: 'high', crossSessionInbound: 'accept', worktree: { bgIsolation: 'none' } },
      { maxEffortLevel: 'low', crossSessionInbound: 'hold', worktree: { bgIsolation: 'worktree' } },
    ],
    [
      'has the wider restriction of plugins',
      { strictPluginOnlyCustomization: ['hooks', 'skills'] },
      { strictPluginOnlyCustomization: ['skills', 'mcp'] },
      { strictPluginOnlyCustomization: ['skills', 'mcp', 'hooks'] },
    ],
    [
      'has the restriction of all plugins of either',
      { strictPluginOnlyCustomization: ['hooks'] },
      { strictPluginOnlyCustomization: true },
      { strictPluginOnlyCustomization: true },
    ],
    [
      'has the machine restrict plugins where it does not',
      { strictPluginOnlyCustomization: ['hooks'] },
      { strictPluginOnlyCustomization: false },
      { strictPluginOnlyCustomization: ['hooks'] },
    ],
    [
      'replaces a server of one name whole',
      { managedMcpServers: mcpServer('https://m.example', { headers: { x: 'y' } }) },
      { managedMcpServers: mcpServer('https://s.example') },
      { managedMcpServers: mcpServer('https://s.example') },
    ],
    [
      'has objects joined name by name',
      { statusLine: { type: 'command', command: 'm', padding: 1 } },
      { statusLine: { type: 'command', command: 's' } },
      { statusLine: { type: 'command', command: 's', padding: 1 } },
    ],
  ])('that asks for a merge %s', async (_, machine, server, effective) => {
    const resolved = await joined(machine, { ...server, ...merge });
    expect(resolved.effective).toEqual(effective);
    expect(resolved.sources.map(({ policyOrigin }) => policyOrigin)).toEqual(['remote']);
  });

  it('may allow a provider that is not known here', async () => {
    const allowedProviders = ['anthropicNewCloud', 'vertex', 'unheard-of'];
    const { effective } = await joined({}, { allowedProviders });
    expect(effective).toEqual({ allowedProviders: ['anthropicNewCloud', 'vertex'] });
  });
});
