// The only package that hands on another's names unlisted: it must have whatever that entry has, and nothing else.
export * from '@hexagent/sdk/claude-agent-sdk';
