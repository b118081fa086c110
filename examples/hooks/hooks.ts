/* Lets an agent work in a folder by the rules of two teams, and prints what it did. */
import { existsSync } from 'node:fs';
import { createHooks, hooks, matchingTools, openSession } from '@hexagent/sdk';

/** One team keeps files: nothing is deleted, and moving never overwrites. */
const keepingFiles = createHooks()
  .on(
    'PreToolUse',
    'Bash',
    hooks.validate(({ command }) =>
      /\brm\b/.test(String(command)) ? 'Nothing is deleted here. Move it to old/.' : true,
    ),
  )
  .on(
    'PreToolUse',
    'Bash',
    hooks.modify((input) => ({ ...input, command: String(input['command']).replace(/^mv /, 'mv --no-clobber ') })),
  );

/** The other looks after what leaves the machine, and after the notes. */
const withNotes = createHooks(hooks.withoutTools('WebFetch', 'WebSearch')).on('Stop', ({ request }) =>
  request.stop_hook_active || existsSync(`${request.cwd}/notes.md`)
    ? {}
    : { decision: 'block', reason: 'Write down in notes.md what you did.' },
);

const audit = hooks.audit(({ outcome, tool, input }) => {
  if (outcome !== 'called') console.log(`${outcome}: ${tool} ${JSON.stringify(input)}`);
});

console.log('A matcher "Edit.*" would match', matchingTools('Edit.*').join(' and '));

const session = await openSession({
  permissions: { allow: ['Bash'] },
  hooks: createHooks(keepingFiles, withNotes, audit),
});
try {
  const outcome = await session.send(process.argv[2] ?? 'Tidy up this folder.').result;
  if (outcome.kind === 'completed') {
    for (const { tool_name, tool_input } of outcome.result.permission_denials)
      console.log(`refused: ${tool_name} ${JSON.stringify(tool_input)}`);
    console.log(outcome.text);
  }
  if (outcome.kind === 'failed') console.error(outcome.message);
} finally {
  await session.close();
}
