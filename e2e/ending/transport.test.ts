import { CliTransport } from '@hexagent/cli-transport';
import { expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { doings, endsWhenFrozen, endsWithClose, endsWithItsProgram, hello, readInto, scene, Seen } from './scenes.ts';

const allBut = (one: string): readonly string[] => Object.keys(doings).filter((name) => name !== one);

withCli('#4 When the program is killed with SIGKILL, the CLI and its tools are gone within 3 s, while', () => {
  it.each(allBut('it runs a background command'))('%s', endsWithItsProgram);
});

withCli(
  'When the program is stopped, and its agents are to end 2 s later, the CLI and its tools are gone within 4 s, while',
  () => {
    it.each(['it waits for a permission', 'it runs a command that ignores every polite signal'])('%s', endsWhenFrozen);
  },
);

withCli('#4 After close() the CLI and its tools are gone within 2.5 s, while', () => {
  it.each(allBut('it runs a foreground command'))('%s', endsWithClose);
});

withCli('The CLI', () => {
  it('is found as the application installed it, and leaves by itself when its input ends', async () => {
    await using stage = await scene(['Hello.']);
    const connection = await new CliTransport({ resolveFrom: import.meta.url }).connect(stage.launch);
    const seen = new Seen();
    const reading = readInto(connection, seen);
    await connection.send(hello);
    await seen.type('result');
    await connection.end();
    await reading;
    expect(await connection.exit).toMatchObject({ code: 0, signal: null, closed: false });
  });

  it('#6 that refuses a flag has the reason in `stderr` of its exit', async () => {
    await using stage = await scene([], ['--no-such-flag']);
    const connection = await new CliTransport({ executable: cli }).connect(stage.launch);
    const exit = await connection.exit;
    expect(exit.code).toBe(1);
    expect(exit.stderr).toContain('--no-such-flag');
  });
});
