// Runs a root script on a machine that may have nothing but Node 20.19 and npm: `node scripts/bootstrap.mjs SCRIPT [ARGS]`.
// An older Node reports that it is too old: hence nothing here is newer than Node 12, and the rest is imported behind the check.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major > 20 || (major === 20 && minor >= 19)) {
  // `main` reports its failures itself.
  void import('./run-script.mjs').then(({ main }) => main(process.argv.slice(2)));
} else {
  console.error(
    `Hexagent needs Node 20.19 or later, this is ${process.versions.node}. Install a newer one: nodejs.org, or nvm, fnm, volta.`,
  );
  process.exitCode = 1;
}
