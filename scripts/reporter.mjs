/** Prints what holds and what does not, one on a line, and makes the process fail for the latter: `report(what, error)`. */
export const reporter = () => (what, error) => {
  console.log(`${error ? 'NOT OK' : 'ok'}  ${what}`);
  if (error === undefined) return;
  for (const text of [error.message, error.stdout, error.stderr]) if (text) console.log(text.slice(0, 3000));
  process.exitCode = 1;
};
