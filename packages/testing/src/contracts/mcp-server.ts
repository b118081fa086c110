import { calls, endings } from './mcp-server-calls.ts';
import type { McpServerFixture, McpServerPromises } from './mcp-server-fixture.ts';
import { handshake, oddMessages } from './mcp-server-handshake.ts';
import { listing, results, sessions } from './mcp-server-tools.ts';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';

/** What every `McpServer` promises. Run it against yours; a pass means that the SDK can show it to an agent. */
export function mcpServerContract(runner: Runner, fixture: McpServerFixture): void {
  const { describe, it } = limitedRunner('mcpServerContract', runner, fixture);
  const run = (promises: McpServerPromises) => (): void => {
    for (const [name, keep] of Object.entries(promises)) it(name, () => keep(fixture));
  };
  describe('McpServer contract', () => {
    describe('The handshake', run(handshake));
    describe('Odd messages', run(oddMessages));
    describe('The list of tools', run(listing));
    describe('Results', run(results));
    describe('Calls', run(calls));
    describe('The end of a call', run(endings));
    describe('Sessions', run(sessions));
  });
}
