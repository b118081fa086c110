/** One word of a shell, whatever characters are in the text. It cannot hold a NUL, which no shell takes. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
