#!/usr/bin/env node
import { hasCode } from '@hexagent/checks';
import { run } from './command/run.ts';

// A reader such as `head` closes the pipe when it has seen enough.
process.stdout.on('error', (error) => {
  if (!hasCode(error, 'EPIPE')) throw error;
});
process.exitCode = await run(process.argv.slice(2));
