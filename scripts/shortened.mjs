// Shorter code that reads as before where it is read: in a stack trace.
import { parseSync } from 'rolldown/utils';

/**
 * Gives local variables one letter, which is a fifth less to read at each start. Functions, classes and properties keep their
 * names, and each statement its line. Pure calls stay marked, for whoever bundles the bundle.
 */
export const shortening = {
  compress: false,
  mangle: { keepNames: true, toplevel: true },
  codegen: { removeWhitespace: false },
};

/**
 * Gives the private members of a shortened text their names again: the name of a private method is what a stack trace
 * shows, and there is no option that keeps it.
 */
export function withPrivateNames(short, original) {
  const names = privateNamesIn(original);
  const found = privateNamesIn(short);
  if (found.length !== names.length) throw new Error('A private name was lost when the bundle was shortened.');
  let [restored, end] = ['', 0];
  for (const [index, { start, end: after }] of found.entries()) {
    restored += `${short.slice(end, start)}#${names[index].name}`;
    end = after;
  }
  return restored + short.slice(end);
}

/** In the order of the text, which shortening does not change. */
function privateNamesIn(code) {
  const { program, errors } = parseSync('bundle.js', code);
  if (errors.length > 0) throw new Error(`The bundle cannot be parsed: ${errors[0].message}`);
  const found = [];
  const visit = (node) => {
    if (typeof node !== 'object' || node === null) return;
    if (node.type === 'PrivateIdentifier') found.push(node);
    for (const member of Object.values(node)) visit(member);
  };
  visit(program);
  return found.toSorted((one, other) => one.start - other.start);
}
