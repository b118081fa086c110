import { describe, expectTypeOf, it } from 'vitest';
import {
  allow,
  answerQuestions,
  approvePlan,
  declineQuestions,
  deny,
  rememberedRules,
  revisePlan,
  type Approver,
  type Decision,
  type PlanHandler,
  type QuestionHandler,
  type SessionOptions,
  type ToolInputs,
  type ToolName,
  type ToolRequest,
} from '@hexagent/sdk';
import type { BUILTIN_TOOL_NAMES, CanUseTool, PermissionResult } from '@hexagent/sdk/claude-agent-sdk';

describe('An approver', () => {
  it('sees the input of each built-in tool by its name', () => {
    const approver: Approver = ({ tool_name, input }) => {
      if (tool_name === 'Bash') {
        expectTypeOf(input.command).toBeString();
        expectTypeOf(input.timeout).toEqualTypeOf<number | undefined>();
      }
      if (tool_name === 'Write') expectTypeOf(input.file_path).toBeString();
      if (tool_name === 'AskUserQuestion') expectTypeOf(input.questions[0].question).toBeString();
      // @ts-expect-error -- no such tool: the names complete, and a typo does not compile
      if (tool_name === 'Basch') return deny('');
      // @ts-expect-error -- Bash has no such field
      if (tool_name === 'Bash') return deny(input.file_path);
      // @ts-expect-error -- what the agent sent is not to be changed
      if (tool_name === 'Bash') input.command = '';
      return allow();
    };
    expectTypeOf(approver).toBeFunction();
  });

  it('sees the tools of servers by any name', () => {
    const approver: Approver = ({ tool_name, input }) => {
      if (tool_name === 'mcp__calculator__add') expectTypeOf(input['a']).toBeUnknown();
      return tool_name.startsWith('mcp__') ? allow() : null;
    };
    expectTypeOf(approver).toBeFunction();
  });

  it('has every tool that the CLI brings, and none beside', () => {
    expectTypeOf<ToolName>().toEqualTypeOf<(typeof BUILTIN_TOOL_NAMES)[number]>();
    expectTypeOf<ToolRequest<'Bash'>['input']>().toEqualTypeOf<ToolInputs['Bash']>();
  });

  it('decides with allow() and deny()', () => {
    expectTypeOf(allow({ remember: 'local' })).toEqualTypeOf<Decision>();
    expectTypeOf(deny('no')).toExtend<Decision>();
    // @ts-expect-error -- the input of a tool is an option of its own
    const replacing: Approver = () => allow({ command: 'ls' });
    // @ts-expect-error -- no such place
    const remembering: Approver = () => allow({ remember: 'always' });
    // @ts-expect-error -- a text is no decision
    const approver: Approver = () => 'allow';
    expectTypeOf([approver, replacing, remembering]).toBeArray();
  });
});

describe('A handler of questions', () => {
  const options: SessionOptions = {
    permissions: {
      onQuestion: (input) => {
        expectTypeOf(input.questions[0].options[0].label).toBeString();
        return answerQuestions(input, { 'Which?': ['a', 'b'] });
      },
      onPlan: (input) => {
        expectTypeOf(input.plan).toEqualTypeOf<string | undefined>();
        return input.plan === undefined ? revisePlan('Write it down.') : approvePlan(input, { mode: 'acceptEdits' });
      },
    },
  };

  it('answers with what the helpers make', () => {
    expectTypeOf(options).toExtend<SessionOptions>();
    expectTypeOf(declineQuestions).returns.toExtend<ReturnType<QuestionHandler>>();
    expectTypeOf(revisePlan).returns.toExtend<ReturnType<PlanHandler>>();
  });

  it('does not compile with an answer that the agent would not understand', () => {
    // @ts-expect-error -- allowing the call leaves the questions unanswered
    const allowing: QuestionHandler = () => allow();
    // @ts-expect-error -- answers need their questions
    const bare: QuestionHandler = () => ({ 'Which?': 'a' });
    // @ts-expect-error -- an answer is a text, or several
    const numbers: QuestionHandler = (input) => answerQuestions(input, { 'Which?': 1 });
    // @ts-expect-error -- an answer to questions approves no plan
    const other: PlanHandler = (input) => answerQuestions(input, {});
    // @ts-expect-error -- a mode that the agent does not take from a plan
    const bypass: PlanHandler = (input) => approvePlan(input, { mode: 'bypassPermissions' });
    expectTypeOf([allowing, bare, numbers, other, bypass]).toBeArray();
  });
});

describe('The helpers', () => {
  it('make answers for canUseTool too', () => {
    expectTypeOf(answerQuestions).returns.toExtend<PermissionResult>();
    expectTypeOf(declineQuestions).returns.toExtend<PermissionResult>();
    expectTypeOf(approvePlan).returns.toExtend<PermissionResult>();
    expectTypeOf(revisePlan).returns.toExtend<PermissionResult>();
    const canUseTool: CanUseTool = async (name, input, { suggestions }) => {
      if (name === 'AskUserQuestion') return answerQuestions(input, {});
      return { behavior: 'allow', updatedPermissions: rememberedRules(suggestions, 'local') };
    };
    expectTypeOf(canUseTool).toEqualTypeOf<CanUseTool>();
  });
});
