import type { AgentMessage, Clock, FeatureControl, SessionFeature, ToolOutputMessage } from '@hexagent/ports';
import { OutputFile } from './output-file.ts';
import { RunningCalls, type RunningCall } from './running-calls.ts';
import { TaskFolder, type AgentPlace } from './task-folder.ts';
import { callWriting } from './writers.ts';

/** How often the outputs are looked at while a command runs. */
const everyMs = 50;
/** How often the processes of the system are searched for the one that writes an output. */
const mostTries = 3;

interface Parts extends Pick<AgentPlace, 'env'> {
  readonly clock: Clock;
}

/** Delivers what running commands write, as messages of the SDK. The agent writes it to files of its own, which are only read. */
export function toolOutputFeature(parts: Parts): SessionFeature {
  const following = new ToolOutput(parts);
  return {
    name: 'toolOutput',
    attach: (control) => following.attach(control),
    receive: (message) => (message.type === 'transcript_mirror' ? undefined : following.note(message)),
    close: () => following.close(),
  };
}

class ToolOutput {
  readonly #parts: Parts;
  readonly #calls = new RunningCalls();
  /** By session: `/clear` begins another one. */
  readonly #folders = new Map<string, TaskFolder>();
  readonly #files = new Map<string, OutputFile>();
  /** How often it was tried to find the call of each task that was seen. */
  readonly #tries = new Map<string, number>();
  #control: FeatureControl | undefined;
  #sessionId = '';
  #stopClock: (() => void) | undefined;
  #isClosed = false;
  /** Files are read one at a time, so that the pieces keep their order. */
  #last: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  attach(control: FeatureControl): void {
    this.#control = control;
  }

  /** Where a command has ended, the message waits for the end of its output. */
  note(message: AgentMessage): Promise<void> | undefined {
    if (message.type === 'system' && message.subtype === 'init') this.#begin(message.session_id, message.cwd);
    const before = [...this.#files.keys()].map((task) => [task, this.#calls.of(task)] as const);
    const ended = this.#calls.note(message);
    if (this.#calls.areRunning) this.#schedule();
    const last = before.filter(([task]) => ended.includes(task));
    return last.length === 0 ? undefined : this.#inTurn(() => this.#finish(last));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopClock?.();
    await this.#inTurn(() => this.#finish([...this.#files.keys()].map((task) => [task, undefined])));
  }

  #begin(sessionId: string, cwd: string): void {
    this.#sessionId = sessionId;
    if (this.#folders.has(sessionId)) return;
    this.#folders.set(sessionId, new TaskFolder({ env: this.#parts.env, cwd, sessionId }));
  }

  #schedule(): void {
    if (this.#isClosed) return;
    this.#stopClock ??= this.#parts.clock.after(everyMs, () => {
      this.#stopClock = undefined;
      void this.#inTurn(() => this.#look()).then(() => {
        if (this.#calls.areRunning || this.#files.size > 0) this.#schedule();
      });
    });
  }

  async #look(): Promise<void> {
    const listed = new Set<string>();
    for (const folder of this.#folders.values())
      for (const task of await folder.list()) {
        listed.add(task);
        if (!this.#tries.has(task)) await this.#open(task, folder.pathOf(task));
        else if (this.#isUnplaced(task)) await this.#place(task, folder.pathOf(task));
      }
    // What is unread in the program stays in the file, which takes no memory.
    const isBehind = this.#control?.isBehind?.() === true;
    for (const [task, file] of this.#files) {
      if (this.#isUnplaced(task) && !listed.has(task)) await this.#finish([[task, undefined]]);
      else if (!isBehind) await this.#deliver(task, file, this.#calls.of(task));
    }
  }

  async #open(task: string, path: string): Promise<void> {
    this.#tries.set(task, 0);
    const file = await OutputFile.open(path);
    if (file === undefined) return;
    this.#files.set(task, file);
    const [only, ...others] = this.#calls.waiting;
    if (!this.#isUnplaced(task)) return;
    if (only !== undefined && others.length === 0) this.#calls.assign(task, only);
    else await this.#place(task, path);
  }

  /** Of several calls that run, the agent names the task of each after about three seconds. */
  async #place(task: string, path: string): Promise<void> {
    const tries = this.#tries.get(task) ?? 0;
    if (tries === mostTries || this.#calls.waiting.length === 0) return;
    this.#tries.set(task, tries + 1);
    const call = await callWriting(path, this.#calls.waiting);
    if (call !== undefined) this.#calls.assign(task, call);
  }

  #isUnplaced(task: string): boolean {
    return this.#files.has(task) && this.#calls.of(task) === undefined;
  }

  async #finish(tasks: readonly (readonly [string, RunningCall | undefined])[]): Promise<void> {
    for (const [task, call] of tasks) {
      const file = this.#files.get(task);
      if (file === undefined) continue;
      this.#files.delete(task);
      await this.#deliver(task, file, call);
      await file.close();
    }
  }

  async #deliver(task: string, file: OutputFile, call: RunningCall | undefined): Promise<void> {
    if (call === undefined) return;
    const output = await file.read();
    if (output === undefined) return;
    const message: ToolOutputMessage = {
      type: 'hexagent',
      subtype: 'tool_output',
      tool_use_id: call.id,
      parent_tool_use_id: call.parent,
      task_id: task,
      text: output.text,
      skipped_bytes: output.skippedBytes,
      total_bytes: output.totalBytes,
      session_id: this.#sessionId,
    };
    this.#control?.deliver?.(message);
  }

  #inTurn(act: () => Promise<void>): Promise<void> {
    const done = this.#last.then(act).catch((cause: unknown) => {
      const message = 'The output of a running command could not be read.';
      this.#control?.warn({ code: 'HEXAGENT_CALLBACK_FAILED', source: 'toolOutput', message, cause });
    });
    this.#last = done;
    return done;
  }
}
