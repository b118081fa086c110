import { readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

const suffix = '.output';

/** Where an agent works, by which it names its folders. */
export interface AgentPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly sessionId: string;
}

/**
 * The folder in which an agent keeps the outputs of the commands of a session, each as `<task>.output`:
 * `<temporary folder>/claude-<uid>/<working directory>/<session>/tasks`.
 */
export class TaskFolder {
  readonly #candidates: readonly string[];
  readonly #place: AgentPlace;
  #path: string | undefined;
  /** Of an earlier agent of a session that was resumed. */
  readonly #earlier: ReadonlySet<string>;

  constructor(place: AgentPlace) {
    this.#place = place;
    const { env } = place;
    const roots = [env['CLAUDE_CODE_TMPDIR'], env['TMPDIR'], '/tmp'].flatMap((root) => root || []);
    this.#candidates = [...new Set(roots)].map((root) => path.join(root, `claude-${process.getuid?.()}`));
    this.#earlier = new Set(this.#found()?.tasks);
  }

  pathOf(task: string): string {
    return path.join(this.#path ?? '', `${task}${suffix}`);
  }

  /** The tasks whose outputs are there. */
  async list(): Promise<readonly string[]> {
    if (this.#path === undefined) return this.#new(this.#found()?.tasks ?? []);
    try {
      return this.#new(tasksIn(await readdir(this.#path)));
    } catch {
      return []; // removed by the agent, or by a command
    }
  }

  #new(tasks: readonly string[]): readonly string[] {
    return tasks.filter((task) => !this.#earlier.has(task));
  }

  #found(): { readonly tasks: readonly string[] } | undefined {
    const { cwd, sessionId } = this.#place;
    // A longer name is cut off there, and a number follows.
    const name = cwd.replaceAll(/[^A-Za-z0-9]/g, '-').slice(0, 200);
    for (const root of this.#candidates) {
      for (const each of namesIn(root)) {
        if (!each.startsWith(name)) continue;
        const folder = path.join(root, each, sessionId, 'tasks');
        const names = namesIn(folder);
        if (names.length === 0) continue;
        this.#path = folder;
        return { tasks: tasksIn(names) };
      }
    }
    return undefined;
  }
}

function tasksIn(names: readonly string[]): readonly string[] {
  return names.filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // made by the agent when it needs it
  }
}
