// The first run of a program whose CLI went with the official package: the error names a command, which is then run as it
// is, from a registry of our own, and the program works.
import path from 'node:path';
import { root } from './workspace.mjs';

const official = '@anthropic-ai/claude-agent-sdk';
const alias = `${official}@npm:@hexagent/claude-agent-sdk`;
/** The CLI's build for this system, as its package is called after the name of the main one. */
export const build = `${process.platform}-${process.arch}${isMusl() ? '-musl' : ''}`;
const program = path.join(root, 'scripts/fixtures/first-run');

/** How each kind of user moves, the package that the program then imports, and the one that the command must name. */
const moves = {
  'An alias, where optional packages are left out': {
    installs: [alias, '--omit=optional'],
    imports: official,
    names: `${official}-${build}@`,
  },
  'One import, and the official package removed': {
    installs: ['@hexagent/sdk'],
    imports: '@hexagent/sdk/claude-agent-sdk',
    names: '@anthropic-ai/claude-code@latest',
  },
};

function isMusl() {
  return process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined;
}

/**
 * @param project a `ForeignProject`
 * @param node the Node to run on
 * @param check receives `(what, act)`
 */
export async function checkFirstRun({ project, node, check }) {
  for (const [how, { installs, imports, names }] of Object.entries(moves)) {
    await check(`${how}: the first run says what to type, and the second one works`, async () => {
      project.start(`first-run-${installs.length}`, program, { '@hexagent/testing': '*' });
      await project.npm('install', '--omit=optional');
      await project.npm('install', ...installs);
      const wrong = await project.run(node, 'program.mjs', imports);
      // A machine to work on may have one in PATH.
      if (wrong === '42\n' && process.env.CI !== 'true') return console.log('--  This machine has a CLI of its own.');
      const [, command = ''] = /npm (install \S+)/.exec(wrong) ?? [];
      if (!wrong.startsWith('AGENT_NOT_FOUND') || !command.startsWith(`install ${names}`))
        throw new Error(`The first run should have named ${names}: ${wrong}`);
      await project.npm(...command.split(' '));
      const answer = await project.run(node, 'program.mjs', imports);
      if (answer.trim() !== '42') throw new Error(`The second run printed: ${answer}`);
    });
  }
}
