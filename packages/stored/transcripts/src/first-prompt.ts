import { isRecord } from '@hexagent/checks';

/** How a session began, as far as an entry shows it. */
export interface Beginning {
  /** What the person asked first. */
  readonly prompt?: string | undefined;
  /** The first command among what came before that, such as `/clear`. */
  readonly command?: string | undefined;
}

/** Longer ones are cut off. */
const longestPrompt = 200;
/** The first half of a character that takes two units, as a cut leaves it. */
const halfCharacter = /[\uD800-\uDBFF]$/;
const commandName = /<command-name>(.*?)<\/command-name>/;
const shellInput = /<bash-input>([\s\S]*?)<\/bash-input>/;
/** What the agent wrote under the name of the person: an element, such as the output of a command, or an interruption. */
const writtenByAgent = /^(?:\s*<[a-z][\w-]*[\s>]|\[Request interrupted by user[^\]]*\])/;

/** What an entry of a transcript shows of how its session began: nothing, if it is no message of a person. */
export function beginningOf(entry: unknown): Beginning {
  if (!isRecord(entry) || entry['type'] !== 'user' || entry['isMeta'] === true || entry['isCompactSummary'] === true)
    return {};
  const { message } = entry;
  const content = isRecord(message) ? message['content'] : undefined;
  let command: string | undefined;
  for (const text of textsOf(content)) {
    const line = text.replaceAll('\n', ' ').trim();
    if (line === '') continue;
    // A list asks this of thousands of prompts, and most are none of what follows.
    if (!line.includes('<') && !line.startsWith('[')) return { command, prompt: shortened(line) };
    const name = commandName.exec(line)?.[1];
    if (name !== undefined) {
      command ??= name === '' ? undefined : name;
      continue;
    }
    const typed = shellInput.exec(line)?.[1];
    if (typed !== undefined) return { command, prompt: `! ${typed.trim()}` };
    if (!writtenByAgent.test(line)) return { command, prompt: shortened(line) };
  }
  return { command };
}

/** A message that reports what a tool returned is none of a person. */
function textsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content) || content.some((block) => isRecord(block) && block['type'] === 'tool_result')) return [];
  return content.flatMap((block: unknown) =>
    isRecord(block) && block['type'] === 'text' && typeof block['text'] === 'string' ? [block['text']] : [],
  );
}

function shortened(text: string): string {
  return text.length <= longestPrompt ? text : `${text.slice(0, longestPrompt).replace(halfCharacter, '').trim()}…`;
}
