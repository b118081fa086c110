import { isRecord } from '@hexagent/checks';
import type { TranscriptEntry } from '@hexagent/ports';

const caveat = '<local-command-caveat>';
const command = '<command-name>';
const output = /^<local-command-std(?:out|err)>/;

/**
 * Recognises the commands that ran without the model, such as `/clear`: the agent announces them to the model with a
 * caveat, and writes them and their output under the name of the person.
 */
export class LocalCommands {
  #isAnnounced = false;
  #hasRun = false;

  /** Takes the next entry of the conversation; `true` if it is a command that ran, or its output. */
  accepts({ type, isMeta, message }: TranscriptEntry): boolean {
    if (type === 'assistant') this.#follow(false);
    if (type !== 'user') return false;
    const text = textOf(message);
    const isForModel = Boolean(isMeta);
    if (isForModel) {
      // The output of the command before may still follow.
      if (text.startsWith(caveat)) this.#isAnnounced = true;
      return false;
    }
    const isCommand = this.#isAnnounced && text.startsWith(command);
    const isOutput = this.#hasRun && output.test(text);
    this.#follow(isCommand || isOutput);
    return isCommand || isOutput;
  }

  /** A caveat announces one command, which may have several outputs. */
  #follow(hasRun: boolean): void {
    this.#isAnnounced = false;
    this.#hasRun = hasRun;
  }
}

function textOf(message: unknown): string {
  const content = isRecord(message) ? message['content'] : undefined;
  if (typeof content === 'string') return content.trimStart();
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const first = blocks.find((block) => isRecord(block) && block['type'] === 'text');
  return isRecord(first) && typeof first['text'] === 'string' ? first['text'].trimStart() : '';
}
