import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { meansOf, readTape, replayProgram, scoresOf, type Scores } from '@hexagent/tapes';
import { complain } from './complain.ts';

interface ScoredTape {
  readonly name: string;
  readonly scores: Scores;
}

/** A bound for the mean of a score. */
interface Gate {
  readonly name: string;
  readonly bound: number;
  readonly kind: 'min' | 'max';
}

/** Scores each tape of a folder, prints a table, and compares the means with what is required. */
export async function evaluateTapes(args: readonly string[], command: readonly string[]): Promise<number> {
  const options = {
    scores: { type: 'string' },
    min: { type: 'string', multiple: true },
    max: { type: 'string', multiple: true },
    json: { type: 'boolean' },
  } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1)
    return complain('Name one folder of tapes: hexagent tape eval FOLDER');
  const gates = [...gatesOf('min', values.min), ...gatesOf('max', values.max)];
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.tape'))
    .toSorted();
  if (names.length === 0)
    return complain(`There is no file ending in .tape in ${folder}. Record with HEXAGENT_RECORD=${folder}.`);
  const own = values.scores === undefined ? {} : await ownScores(values.scores);
  const tapes: ScoredTape[] = [];
  for (const name of names) tapes.push({ name, scores: await scored(join(folder, name), own, command) });
  const means = meansOf(tapes.map(({ scores }) => scores));
  const unknown = gates.find(({ name }) => means[name] === undefined);
  if (unknown !== undefined)
    return complain(`There is no score ${unknown.name}. There are ${Object.keys(means).join(', ')}.`);
  const missed = gates.filter((gate) => !isMet(gate, means));
  const text = values.json === true ? `${JSON.stringify({ tapes, means, missed }, null, 2)}\n` : tableOf(tapes, means);
  process.stdout.write(text);
  for (const { name, bound, kind } of missed)
    complain(
      `${name} is ${shownNumber(means[name] ?? 0)} on average, and has to be at ${kind === 'min' ? 'least' : 'most'} ${bound}.`,
    );
  return missed.length === 0 ? 0 : 1;
}

async function scored(
  file: string,
  own: Readonly<Record<string, unknown>>,
  command: readonly string[],
): Promise<Scores> {
  const scores = await scoresOf(readTape(file), own);
  if (command.length === 0) return scores;
  const { departure, timedOut } = await replayProgram(file, { command });
  return { ...scores, replays: departure === undefined && !timedOut ? 1 : 0 };
}

/** Every export of a module. */
async function ownScores(file: string): Promise<Readonly<Record<string, unknown>>> {
  const { default: _, ...named }: Readonly<Record<string, unknown>> = await import(pathToFileURL(resolve(file)).href);
  return named;
}

/** @throws {TypeError} for anything but `name=number` */
function gatesOf(kind: Gate['kind'], given: readonly string[] = []): readonly Gate[] {
  return given.map((text) => {
    const [, name = '', number = ''] = /^(\w+)=(.+)$/.exec(text) ?? [];
    const bound = Number(number);
    if (name === '' || Number.isNaN(bound)) throw new TypeError(`--${kind} ${text} has to be like completed=0.9.`);
    return { name, bound, kind };
  });
}

function isMet({ name, bound, kind }: Gate, means: Scores): boolean {
  const mean = means[name] ?? 0;
  return kind === 'min' ? mean >= bound : mean <= bound;
}

const shownNumber = (value: number): string => String(Number(value.toFixed(4)));

function tableOf(tapes: readonly ScoredTape[], means: Scores): string {
  const columns = Object.keys(means);
  const row = (name: string, scores: Scores): readonly string[] => [
    name,
    ...columns.map((column) => (scores[column] === undefined ? '' : shownNumber(scores[column]))),
  ];
  const rows = [['tape', ...columns], ...tapes.map(({ name, scores }) => row(name, scores)), row('mean', means)];
  const widths = rows[0]?.map((_, index) => Math.max(...rows.map((cells) => cells[index]?.length ?? 0))) ?? [];
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  ');
  return rows.map((cells) => `${line(cells)}\n`).join('');
}
