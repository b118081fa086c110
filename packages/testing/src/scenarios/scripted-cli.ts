import { readFileSync } from 'node:fs';
import { scriptedAgent } from '../doubles/scripted/scripted-agent.ts';
import type { ScenarioTurn } from './scenario.ts';
import { stdioAgent } from './stdio-agent.ts';
import { toAgentScript } from './to-agent-script.ts';

/** Plays the turns in a file in place of the CLI, as a process that an SDK has started. */
export function runScriptedCli(file: string | URL): void {
  const { script, around } = toAgentScript(JSON.parse(readFileSync(file, 'utf8')) as readonly ScenarioTurn[]); // written by `scriptedCli()`
  scriptedAgent(script)(around(stdioAgent()));
}
