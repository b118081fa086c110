import type { FaceOutcome, VersionOutcome } from './versions.ts';

/** Which `pnpm canary --versions` writes. */
export const page = new URL('../../docs/versions.md', import.meta.url);

const head = `<!-- Written by \`pnpm canary --versions\`, with e2e/canary/versions.json. -->

# Versions of the CLI

Each face is tried with each of these versions of the real CLI: turns, rules, callbacks, servers, requests and methods, one check for
each. The tests of this repository run the first of them, and it is the version that \`@hexagent/claude-agent-sdk\` installs.

| CLI | \`openSession()\` and \`ask()\` | \`query()\`, the drop-in |
|---|---|---|
`;

/** `58 of 58` */
const count = ({ tried, lacking }: FaceOutcome): string => `${tried - Object.keys(lacking).length} of ${tried}`;

/** What a version lacks, with its reason in front of what fails for it. */
function lackingIn({ lacking }: FaceOutcome): readonly string[] {
  const names = Map.groupBy(Object.entries(lacking), ([, reason]) => reason);
  return [...names].map(([reason, entries]) => {
    const listed = entries.map(([name]) => name);
    const shown = listed.length > 12 ? [...listed.slice(0, 12), `and ${listed.length - 12} more`] : listed;
    return `- ${reason.replace(/[.]$/, '')}: ${shown.join(', ')}`;
  });
}

function section(version: string, face: string, outcome: FaceOutcome): string {
  const lines = lackingIn(outcome);
  return lines.length === 0 ? '' : `\n**${version}, ${face}**\n\n${lines.join('\n')}\n`;
}

/** The whole page. */
export function versionsPage(versions: readonly VersionOutcome[]): string {
  const rows = versions.map(({ version, native, dropIn }) => `| ${version} | ${count(native)} | ${count(dropIn)} |\n`);
  const sections = versions.map(
    ({ version, native, dropIn }) => section(version, 'native', native) + section(version, 'drop-in', dropIn),
  );
  return `${head}${rows.join('')}
## What older versions lack

An error names the version of the CLI with which the missing part came. 2.1.317 is the oldest that is supported: the native face needs it
for any permission, since its rules are hooks that must block when they fail, and an older CLI ends the session with
\`INITIALIZE_FAILED\` before the first message. The drop-in works with older ones but for what is listed; \`managedSettings\` do with
\`managedSettingsDelivery: 'argv'\`, and \`mcpServers\` with \`mcpServersDelivery: 'argv'\`.
${sections.join('')}`;
}
