import path from 'node:path';

/** The CLI's own folder, as this process finds it. */
export const ownConfigDir = (): string =>
  process.env['CLAUDE_CONFIG_DIR'] || path.join(process.getBuiltinModule('node:os').homedir(), '.claude');
