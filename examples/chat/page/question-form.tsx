import { useState } from 'react';
import { Card, useAnswer, type FormProps } from './card.tsx';
import { Notice } from './notice.tsx';
import { questionsOf } from './tools.ts';
import type { Question } from './wire.ts';

interface Given {
  readonly chosen: readonly string[];
  readonly own: string;
}

const nothing: Given = { chosen: [], own: '' };

/** The labels that were chosen, and what the person wrote. */
const answerOf = ({ chosen, own }: Given): readonly string[] => [...chosen, ...(own.trim() ? [own.trim()] : [])];

export function QuestionForm({ part, onAnswer }: FormProps) {
  const questions = questionsOf(part);
  const [given, setGiven] = useState<Readonly<Record<string, Given>>>({});
  const { send, sending, failure } = useAnswer(onAnswer);
  const answers = questions.map(({ question }) => [question, answerOf(given[question] ?? nothing)] as const);
  const complete = answers.every(([, words]) => words.length > 0);

  return (
    <Card
      label="Questions"
      title={questions.length === 1 ? 'Please answer' : `Please answer ${questions.length} questions`}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (complete) send({ approved: true, answers: Object.fromEntries(answers) });
        }}
      >
        {questions.map((question) => (
          <Choices
            key={question.question}
            question={question}
            given={given[question.question] ?? nothing}
            disabled={sending}
            onChange={(change) => setGiven({ ...given, [question.question]: change })}
          />
        ))}
        {failure !== undefined && <Notice error={failure} />}
        <div className="buttons">
          <button type="submit" className="primary" disabled={sending || !complete}>
            Submit
          </button>
          <button type="button" disabled={sending} onClick={() => send({ approved: false })}>
            Skip
          </button>
        </div>
      </form>
    </Card>
  );
}

interface ChoicesProps {
  readonly question: Question;
  readonly given: Given;
  readonly disabled: boolean;
  onChange(given: Given): void;
}

function Choices({ question: { question, header, options, multiSelect }, given, disabled, onChange }: ChoicesProps) {
  const choose = (label: string): void => {
    if (!multiSelect) return onChange({ chosen: [label], own: '' });
    const others = given.chosen.filter((one) => one !== label);
    onChange({ ...given, chosen: others.length < given.chosen.length ? others : [...given.chosen, label] });
  };
  return (
    <fieldset disabled={disabled}>
      <legend>
        {header && <span className="badge">{header}</span>}
        {question}
        {multiSelect && <span className="legend-note">choose any</span>}
      </legend>
      {options.map(({ label, description }) => (
        <label key={label} className="choice">
          <input
            type={multiSelect ? 'checkbox' : 'radio'}
            name={question}
            checked={given.chosen.includes(label)}
            onChange={() => choose(label)}
          />
          <span>
            {label}
            {description && <small>{description}</small>}
          </span>
        </label>
      ))}
      <label className="field own">
        <span className="visually-hidden">Other answer to: {question}</span>
        <input
          value={given.own}
          placeholder="Other…"
          // A question with one answer has either a label or other words.
          onChange={({ target }) => onChange({ chosen: multiSelect ? given.chosen : [], own: target.value })}
        />
      </label>
    </fieldset>
  );
}
