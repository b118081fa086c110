import type { AccountSettings } from './settings-account.ts';
import type { ModelSettings } from './settings-models.ts';
import type { PluginSettings, McpSettings, SkillSettings } from './settings-plugins.ts';
import type { ScreenSettings } from './settings-screen.ts';
import type { HookSettings, PermissionSettings } from './settings-tools.ts';
import type { WorkSettings } from './settings-work.ts';

/**
 * The content of a settings file. Every key that the agent documents has its type; any other is handed on as it is, since
 * a newer agent may support it. For one wrong value the agent leaves out the key or the whole file, and reports it in its answer
 * to `get_settings` alone.
 */
export interface Settings
  extends
    AccountSettings,
    HookSettings,
    McpSettings,
    ModelSettings,
    PermissionSettings,
    PluginSettings,
    ScreenSettings,
    SkillSettings,
    WorkSettings {
  [key: string]: unknown;
}
