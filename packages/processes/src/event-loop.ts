import { runningPrograms } from './tracked-process.ts';

/** A program, and the three pipes to it. */
const handlesOfProgram = 4;
const kindsOfHandles: ReadonlySet<string> = new Set(['ProcessWrap', 'PipeWrap', 'TTYWrap']);

/**
 * Whether this process would exit if so many programs ended, those that `runProcess()` has started. `false` where something
 * else keeps it running, such as a timer, a server or a reader of its input, and where the runtime does not show that.
 */
export function keptByPrograms(count: number): boolean {
  if (count === 0 || runningPrograms() !== count) return false;
  try {
    const { stdout, stderr } = process;
    // What is not in the documented list by its kind alone: the streams that a program writes to are in it, and keep nothing.
    const handles: unknown = Reflect.apply(Reflect.get(process, '_getActiveHandles') as () => unknown, process, []);
    const others = Array.isArray(handles) ? handles.filter((each) => each !== stdout && each !== stderr) : [];
    return (
      others.length === handlesOfProgram * count &&
      process.getActiveResourcesInfo().every((kind) => kindsOfHandles.has(kind))
    );
  } catch {
    return false; // Deno and Bun have no such lists
  }
}
