/**
 * Prints what holds and what does not, one on a line with the seconds since the last, and makes the process fail for the
 * latter: `report(what, error)`.
 */
export function reporter() {
  let last = performance.now();
  return (what, error) => {
    const seconds = (performance.now() - last) / 1000;
    last = performance.now();
    console.log(`${error ? 'NOT OK' : 'ok'}  ${what} (${seconds.toFixed(1)} s)`);
    if (error === undefined) return;
    for (const text of [error.message, error.stdout, error.stderr]) if (text) console.log(text.slice(0, 3000));
    process.exitCode = 1;
  };
}
