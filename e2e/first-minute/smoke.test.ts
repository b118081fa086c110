import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { placeFor } from './example-programs.ts';
import { runQuickstart } from './quickstart.ts';

withCli('The quickstart', () => {
  it('prints the answer and exits with 0', async () => {
    await using place = await placeFor(['42']);
    await using program = runQuickstart(place);
    expect(await program.exitCode).toBe(0);
    expect(program.output.trim().split('\n')).toEqual(['system', 'assistant', 'result', '42']);
  });
});
