/** The entry whose exports are compared with the official ones. */
export const facade = '@hexagent/sdk/claude-agent-sdk';

/** The package a program changes its import from. A devDependency of this folder only. */
export const official = '@anthropic-ai/claude-agent-sdk';
