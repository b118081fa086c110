import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isRecord } from '@hexagent/checks';
import type { ConfigFile, ConfigFolder, Launch } from '@hexagent/ports';

/** Files of the agent's own config folder that are copied. */
const copied = ['.config.json', 'settings.json', 'CLAUDE.md'] as const;
/** Folders of it that are linked to. */
const linked = ['agents', 'commands', 'output-styles', 'plugins', 'rules', 'skills'] as const;
const credentials = '.credentials.json';
const readableByOwner = { mode: 0o600, flag: 'wx' } as const;
/** Lines are written together, about so many characters at a time. */
const writeLength = 1024 * 1024;

/**
 * Writes the config folder of one launch: the files that it names, and from the folder that the agent would use without
 * it the sign-in, the settings, and the person's instructions, skills and agents. Missing files are left out.
 */
export function writeConfigFolder(folder: string, { files }: ConfigFolder, env: Launch['env']): void {
  mkdirSync(folder, { mode: 0o700 });
  const named = env['CLAUDE_CONFIG_DIR'] || undefined;
  const home = env['HOME'] || env['USERPROFILE'] || homedir();
  const own = named ?? join(home, '.claude');
  copy(join(named ?? home, '.claude.json'), join(folder, '.claude.json'));
  for (const name of copied) copy(join(own, name), join(folder, name));
  copy(join(own, credentials), join(folder, credentials), withoutRefreshToken);
  for (const name of linked) link(join(own, name), join(folder, name));
  for (const file of files) writeBelow(folder, file);
}

function copy(from: string, to: string, change: (text: string) => string = (text) => text): void {
  const text = readIfThere(from);
  if (text !== undefined) writeFileSync(to, change(text), readableByOwner);
}

/**
 * That token is valid once, for a new one that would be removed with this folder: using it here would sign the
 * person out everywhere else.
 */
function withoutRefreshToken(text: string): string {
  try {
    const credentials: unknown = JSON.parse(text);
    if (!isRecord(credentials) || !isRecord(credentials['claudeAiOauth'])) return text;
    const { refreshToken: _, ...signedIn } = credentials['claudeAiOauth'];
    return JSON.stringify({ ...credentials, claudeAiOauth: signedIn });
  } catch {
    return text; // what this cannot read the agent cannot read either
  }
}

/** A link to nothing would keep the agent from making the folder. */
function link(from: string, to: string): void {
  try {
    readdirSync(from);
    symlinkSync(from, to, 'junction');
  } catch {
    // The folder is missing, or the system has no links: the agent starts without it.
  }
}

/** Writes one file below a folder. A transcript may be long, so it is never in memory as one text. */
export function writeBelow(folder: string, { path, lines }: ConfigFile): void {
  const names = path.split('/');
  if (names.some((name) => name === '' || name === '.' || name === '..' || /[\\\0]/.test(name)))
    throw new TypeError(`A private folder cannot have the file ${JSON.stringify(path)}.`);
  const file = join(folder, ...names);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const opened = openSync(file, readableByOwner.flag, readableByOwner.mode);
  try {
    let text = '';
    for (const line of lines) {
      text += `${line}\n`;
      if (text.length < writeLength) continue;
      writeFileSync(opened, text);
      text = '';
    }
    writeFileSync(opened, text);
  } finally {
    closeSync(opened);
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // not there, or not to be read: the agent would do without it as well
  }
}
