import { useState, type ReactNode } from 'react';
import { ApprovalCard } from './approval-card.tsx';
import { Input, Pre } from './input.tsx';
import { PlanCard } from './plan-card.tsx';
import { QuestionForm } from './question-form.tsx';
import { descriptorOf, isPending, outputText, questionsOf, summaryOf, titleOf } from './tools.ts';
import type { Answer, Phase, ToolPart } from './wire.ts';

interface Props {
  readonly part: ToolPart;
  readonly phase: Phase;
  /** What the subagent did that this call started. */
  readonly children?: ReactNode;
  onAnswer(approval: string, answer: Answer): Promise<void>;
}

const forms = { permission: ApprovalCard, question: QuestionForm, plan: PlanCard };

export function ToolCall({ part, phase, children, onAnswer }: Props) {
  // Open while its input is written or a subagent works; afterwards as the person chose.
  const [choice, setChoice] = useState<boolean>();
  const live = phase === 'running';
  const { label, tone } = statusOf(part, phase);
  if (live && isPending(part) && part.approval) {
    const Form = forms[descriptorOf(part).kind];
    const { id } = part.approval;
    return (
      <>
        <Form key={id} part={part} onAnswer={(answer) => onAnswer(id, answer)} />
        {children}
      </>
    );
  }
  const open =
    choice ??
    (live && (part.state === 'input-streaming' || hasOutput(part) || (children != null && tone === 'running')));
  return (
    <details className={`tool ${tone}`} open={open}>
      <summary onClick={(event) => (event.preventDefault(), setChoice(!open))}>
        <span className="tool-name">{titleOf(part)}</span>
        <code className="tool-summary">{summaryOf(part)}</code>
        <span className="tool-status">{label}</span>
      </summary>
      {open && (
        <div className="tool-body">
          <Answers part={part} />
          <section>
            <h4>Input</h4>
            <Input part={part} />
          </section>
          {part.state === 'output-available' && (
            <Block label={part.preliminary ? 'So far' : 'Result'} text={outputText(part.output)} />
          )}
          {part.state === 'output-error' && <Block label="Error" text={part.errorText} />}
          {part.approval?.reason && <Block label="Reason" text={part.approval.reason} />}
        </div>
      )}
      {open && children}
    </details>
  );
}

function Block({ label, text }: { readonly label: string; readonly text: string }) {
  if (text === '') return null;
  return (
    <section>
      <h4>{label}</h4>
      <Pre label={label} text={text} />
    </section>
  );
}

/** A command that runs, and what it has written so far. */
const hasOutput = (part: ToolPart): boolean =>
  part.state === 'output-available' &&
  part.preliminary === true &&
  (part.output as { stdout?: string } | null)?.stdout !== undefined;

/** Of answered questions: what was asked, in words. */
function Answers({ part }: { readonly part: ToolPart }) {
  const questions = questionsOf(part);
  if (questions.length === 0) return null;
  return (
    <ul className="asked">
      {questions.map(({ question }) => (
        <li key={question}>{question}</li>
      ))}
    </ul>
  );
}

interface Status {
  readonly label: string;
  readonly tone: 'running' | 'done' | 'failed' | 'denied' | 'cut';
}

function statusOf(part: ToolPart, phase: Phase): Status {
  const live = phase === 'running';
  const cut: Status = { label: phase === 'lost' ? 'Connection lost' : 'Interrupted', tone: 'cut' };
  switch (part.state) {
    case 'output-available':
      return part.preliminary && live
        ? { label: 'Running', tone: 'running' }
        : { label: doneLabel(part), tone: 'done' };
    case 'output-error':
      // The agent was ended in the call, as when the server was restarted.
      return part.resultProviderMetadata?.['hexagent']?.['interrupted'] === true
        ? cut
        : { label: 'Failed', tone: 'failed' };
    case 'output-denied':
      return { label: deniedLabels[part.toolName] ?? 'Denied', tone: 'denied' };
    case 'approval-responded':
      if (!part.approval.approved) return { label: deniedLabels[part.toolName] ?? 'Denied', tone: 'denied' };
      return live ? { label: 'Running', tone: 'running' } : cut;
    default:
      if (!live) return cut;
      return { label: part.state === 'input-streaming' ? 'Preparing' : 'Running', tone: 'running' };
  }
}

const deniedLabels: Readonly<Record<string, string>> = { AskUserQuestion: 'Skipped', ExitPlanMode: 'Not approved' };
const doneLabels = { permission: 'Done', question: 'Answered', plan: 'Approved' };

const doneLabel = (part: ToolPart): string => (part.approval ? doneLabels[descriptorOf(part).kind] : 'Done');
