// A folder of stored sessions, in the form of what the real CLI writes. Made once per run.
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const uuid = (number) => `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
const code = '  const "value" = read(file);\n';
const toLines = (entries) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

/** One turn with a tool, and the bulk that the CLI writes beside it. */
function turn(number, { sessionId, cwd, lines }) {
  const first = number * 4;
  const entry = (index, type, message, more = {}) => ({
    parentUuid: number + index === 0 ? null : uuid(first + index - 1),
    isSidechain: false,
    type,
    message,
    uuid: uuid(first + index),
    timestamp: new Date(1_700_000_000_000 + (first + index) * 1000).toISOString(),
    ...more,
    userType: 'external',
    entrypoint: 'cli',
    cwd,
    sessionId,
    version: '2.1.328',
    gitBranch: 'main',
  });
  const usage = { input_tokens: 100, output_tokens: 20 };
  const answer = (id, content) => ({ id, type: 'message', role: 'assistant', model: 'stand-in', content, usage });
  const stdout = code.repeat(lines);
  const result = { type: 'tool_result', tool_use_id: `toolu_${number}`, content: stdout };
  const call = { type: 'tool_use', id: `toolu_${number}`, name: 'Bash', input: { command: 'cat file' } };
  return toLines([
    entry(0, 'user', { role: 'user', content: `What is in file ${number}?` }),
    entry(1, 'assistant', answer(`msg_${number}_1`, [call])),
    entry(2, 'user', { role: 'user', content: [result] }, { toolUseResult: { stdout, stderr: '' } }),
    entry(3, 'assistant', answer(`msg_${number}_2`, [{ type: 'text', text: 'It has some code. '.repeat(40) }])),
    { type: 'api-request', sessionId, params: 'x'.repeat(lines * 30) },
    { type: 'last-prompt', lastPrompt: `What is in file ${number}?`, sessionId },
  ]);
}

/** 2,000 sessions of 170 kB in twenty projects, and one of 200 MB. Returns the folder for `CLAUDE_CONFIG_DIR`. */
export function storedSessions(folder, { sessions = 2000, bigBytes = 200e6 } = {}) {
  const stored = path.join(folder, `stored-${sessions}`);
  if (existsSync(path.join(stored, 'big'))) return stored;
  for (let session = 0; session < sessions; session += 1) {
    const project = path.join(stored, 'projects', `-project-${session % 20}`);
    mkdirSync(project, { recursive: true });
    const [sessionId, cwd] = [uuid(1_000_000 + session), `/project/${session % 20}`];
    const turns = Array.from({ length: 24 }, (_, number) => turn(number, { sessionId, cwd, lines: 60 }));
    writeFileSync(path.join(project, `${sessionId}.jsonl`), turns.join(''));
  }
  const sessionId = uuid(1);
  const file = path.join(stored, 'projects', '-project-0', `${sessionId}.jsonl`);
  for (let bytes = 0, number = 0; bytes < bigBytes;) {
    const turns = Array.from({ length: 100 }, () => turn(number++, { sessionId, cwd: '/project/0', lines: 120 })).join(
      '',
    );
    appendFileSync(file, turns);
    bytes += turns.length;
  }
  writeFileSync(path.join(stored, 'big'), sessionId);
  return stored;
}
