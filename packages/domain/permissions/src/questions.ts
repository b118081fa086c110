import { isPlainObject, isRecord, kindOf, plainCopy, shown } from '@hexagent/checks';
import type { Denial, QuestionAnswer } from '@hexagent/ports';
import { deny, type AskedOf } from './answers.ts';

/**
 * By the whole text of a question: the label of a choice, any other text, or a list of them where the question allows
 * several. What is left out or `undefined` is not answered.
 */
export type QuestionAnswers = Readonly<Record<string, string | readonly string[] | undefined>>;

interface Question {
  readonly question: string;
  readonly header: unknown;
  readonly multiSelect: boolean;
}

/**
 * Answers questions. Takes what was asked, since the agent requires the questions in the answer.
 * @throws {TypeError} for an answer to a question that is not asked, for several answers where one is allowed, and for
 * what is not a text.
 */
export function answerQuestions(asks: AskedOf, answers: QuestionAnswers): QuestionAnswer {
  const input: unknown = isRecord(asks) ? asks.input : undefined;
  const asked = isPlainObject(input) ? plainCopy(input, 'input') : {};
  const questions = questionsOf(asks, asked);
  if (!isPlainObject(answers))
    throw new TypeError(`The answers must be an object by the text of each question, not ${kindOf(answers)}.`);
  const given = Object.entries(plainCopy(answers, 'answers')).flatMap(([text, answer]) => {
    const joined = joinedAnswer(findQuestion(questions, text), answer);
    return joined === undefined ? [] : [[text, joined] as const];
  });
  return {
    behavior: 'allow',
    updatedInput: { ...asked, questions: asked['questions'], answers: Object.fromEntries(given) },
  };
}

/**
 * Leaves all questions unanswered. The model reads why.
 * @throws {TypeError} for a reason that is not a text.
 */
export function declineQuestions(
  why = 'The person does not want to answer these questions. Continue without the answers, and say what you assume.',
): Denial {
  if (typeof why !== 'string')
    throw new TypeError(`\`why\` of declineQuestions() must be a string that the model reads, not ${kindOf(why)}.`);
  return deny(why);
}

function questionsOf(asks: unknown, input: unknown): readonly Question[] {
  const questions: unknown = isPlainObject(input) ? input['questions'] : undefined;
  if (Array.isArray(questions))
    return questions.flatMap((asked: unknown) =>
      isRecord(asked) && typeof asked['question'] === 'string'
        ? [{ question: asked['question'], header: asked['header'], multiSelect: asked['multiSelect'] === true }]
        : [],
    );
  throw new TypeError(
    `answerQuestions() takes what was asked, whose \`input\` has the list of \`questions\`, not ${kindOf(isRecord(asks) ? asks['input'] : asks)}.`,
  );
}

function findQuestion(questions: readonly Question[], text: string): Question {
  const found = questions.find(({ question }) => question === text);
  if (found !== undefined) return found;
  const meant = questions.find(({ header }) => header === text);
  const asked = meant === undefined ? questions : [meant];
  throw new TypeError(
    `${shown(text)} is not a question of this call. Answer by the whole text: ${asked.map(({ question }) => JSON.stringify(question)).join(', ')}.`,
  );
}

function joinedAnswer({ question, multiSelect }: Question, answer: unknown): string | undefined {
  const texts: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  const given = texts.filter((text) => text !== undefined && text !== '');
  const wrong = given.find((text) => typeof text !== 'string');
  if (wrong !== undefined)
    throw new TypeError(`The answer to ${shown(question)} must be a text or a list of texts, not ${kindOf(wrong)}.`);
  if (given.length > 1 && !multiSelect)
    throw new TypeError(`${shown(question)} allows one answer, and ${given.length} were given.`);
  return given.length === 0 ? undefined : given.join(', ');
}
