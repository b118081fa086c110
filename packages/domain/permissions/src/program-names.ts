/** The name of a program without its folder. File systems that ignore case run `rm` for `RM`. */
export const programName = (text: string): string => text.slice(text.lastIndexOf('/') + 1).toLowerCase();

/** The names by which a rule may mean a program. On Windows `rm` runs `rm.exe`. */
export function programNames(text: string): readonly string[] {
  const name = programName(text);
  return [text.toLowerCase(), name, name.replace(/\.(?:exe|com|cmd|bat)$/, '')];
}
