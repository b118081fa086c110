/* Has the agent plan, answers its questions and approves its plan at the terminal. */
import { createInterface } from 'node:readline/promises';
import {
  answerQuestions,
  approvePlan,
  declineQuestions,
  deny,
  openSession,
  revisePlan,
  type AskAnswer,
  type PlanAsk,
  type QuestionAsk,
} from '@hexagent/sdk';

const terminal = createInterface({ input: process.stdin, output: process.stdout });
const left = new AbortController(); // aborts by Ctrl-C and Ctrl-D
const leave = (): void => left.abort();
terminal.once('close', leave);

async function onQuestion(ask: QuestionAsk): Promise<AskAnswer> {
  const { questions, signal } = ask;
  const answers: Record<string, string[]> = {};
  for (const { question, options, multiSelect } of questions) {
    const choices = options.map(({ label, description }, index) => `  ${index + 1}: ${label} (${description})`);
    const how = multiSelect ? 'numbers with commas' : 'a number';
    const typed = await terminal.question(
      `${question}\n${choices.join('\n')}\n  ${how}, words of yours, or nothing: `,
      {
        signal,
      },
    );
    if (typed === '') continue;
    // What is not a number of a choice is an answer of one's own.
    const parts = multiSelect ? typed.split(',').map((part) => part.trim()) : [typed];
    answers[question] = parts.map((part) => options[Number(part) - 1]?.label ?? part);
  }
  return Object.keys(answers).length > 0 ? answerQuestions(ask, answers) : declineQuestions();
}

async function onPlan(ask: PlanAsk): Promise<AskAnswer> {
  const typed = await terminal.question(`${ask.plan}\n  y: do it, or what to change: `, { signal: ask.signal });
  return typed === 'y' ? approvePlan(ask, { mode: 'acceptEdits' }) : revisePlan(typed || 'Show me another plan.');
}

const session = await openSession({
  permissions: { cliMode: 'plan' },
  onAsk: (ask) => {
    if (ask.kind === 'question') return onQuestion(ask);
    return ask.kind === 'plan' ? onPlan(ask) : deny('Only questions and plans are answered here.');
  },
  signal: left.signal,
});
try {
  const task = process.argv[2] ?? 'Plan a letter to Ada. Ask me what you need to know.';
  const outcome = await session.send(task).result;
  if (outcome.kind === 'completed') console.log(outcome.text);
  if (outcome.kind === 'failed') console.error(outcome.message);
} catch (error) {
  if (!left.signal.aborted) throw error;
  process.exitCode = 130;
} finally {
  terminal.off('close', leave);
  terminal.close();
  await session.close();
}
