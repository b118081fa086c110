import { describe, expectTypeOf, it } from 'vitest';
import {
  allow,
  answerQuestions,
  approvePlan,
  declineQuestions,
  deny,
  rememberedRules,
  revisePlan,
  type AskAnswer,
  type AskHandler,
  type CallAsk,
  type Decision,
  type PlanAsk,
  type QuestionAsk,
  type SessionOptions,
  type ToolInputs,
  type ToolName,
} from '@hexagent/sdk';
import type { BUILTIN_TOOL_NAMES, CanUseTool, PermissionResult } from '@hexagent/sdk/claude-agent-sdk';

describe('onAsk', () => {
  it('has the input of each built-in tool by its name', () => {
    const onAsk: AskHandler = (ask) => {
      if (ask.kind === 'call' && ask.tool === 'Bash') {
        expectTypeOf(ask.input.command).toBeString();
        expectTypeOf(ask.input.timeout).toEqualTypeOf<number | undefined>();
      }
      if (ask.tool === 'Write') expectTypeOf(ask.input.file_path).toBeString();
      // @ts-expect-error -- no such tool: the names complete, and a typo does not compile
      if (ask.tool === 'Basch') return deny('');
      // @ts-expect-error -- Bash has no such field
      if (ask.tool === 'Bash') return deny(ask.input.file_path);
      // @ts-expect-error -- what the agent sent is not to be changed
      if (ask.tool === 'Bash') ask.input.command = '';
      return allow();
    };
    expectTypeOf(onAsk).toBeFunction();
  });

  it('is narrowed by its parts too, and has the tools of servers by any name', () => {
    const onAsk: AskHandler = ({ tool, input }) => {
      if (tool === 'Bash') expectTypeOf(input.command).toBeString();
      if (tool === 'mcp__calculator__add') expectTypeOf(input['a']).toBeUnknown();
      return tool?.startsWith('mcp__') === true ? allow() : null;
    };
    expectTypeOf(onAsk).toBeFunction();
  });

  it('has what each kind of request asks', () => {
    const options: SessionOptions = {
      onAsk: (ask) => {
        switch (ask.kind) {
          case 'call':
            expectTypeOf(ask.request.tool_name).toBeString();
            return ask.tool === 'Read' ? allow() : deny('no');
          case 'question':
            expectTypeOf(ask.questions[0].options[0].label).toBeString();
            return answerQuestions(ask, { 'Which?': ['a', 'b'] });
          case 'plan':
            expectTypeOf(ask.plan).toBeString();
            return ask.plan === '' ? revisePlan('Write it down.') : approvePlan(ask, { mode: 'acceptEdits' });
          case 'elicitation':
            expectTypeOf(ask.request.message).toBeString();
            return { action: 'accept', content: { name: 'Ada' } };
          default:
            expectTypeOf(ask.request.dialog_kind).toBeString();
            return { behavior: 'completed', result: 5 };
        }
      },
    };
    expectTypeOf(options).toExtend<SessionOptions>();
  });

  it('has every tool that the CLI brings, and none beside', () => {
    expectTypeOf<ToolName>().toEqualTypeOf<(typeof BUILTIN_TOOL_NAMES)[number]>();
    expectTypeOf<CallAsk<'Bash'>['input']>().toEqualTypeOf<ToolInputs['Bash']>();
  });

  it('answers with what the helpers make', () => {
    expectTypeOf(allow({ remember: 'local' })).toEqualTypeOf<Decision>();
    expectTypeOf(deny('no')).toExtend<Decision>();
    expectTypeOf(declineQuestions).returns.toExtend<AskAnswer>();
    expectTypeOf(revisePlan).returns.toExtend<AskAnswer>();
    // @ts-expect-error -- the input of a tool is an option of its own
    const replacing: AskHandler = () => allow({ command: 'ls' });
    // @ts-expect-error -- no such place
    const remembering: AskHandler = () => allow({ remember: 'always' });
    // @ts-expect-error -- a text is no decision
    const text: AskHandler = () => 'allow';
    // @ts-expect-error -- answers need their questions
    const bare: AskHandler = () => ({ 'Which?': 'a' });
    // @ts-expect-error -- an answer is a text, or several
    const numbers = (ask: QuestionAsk): AskAnswer => answerQuestions(ask, { 'Which?': 1 });
    // @ts-expect-error -- a mode that the agent does not take from a plan
    const bypass = (ask: PlanAsk): AskAnswer => approvePlan(ask, { mode: 'bypassPermissions' });
    expectTypeOf([replacing, remembering, text, bare, numbers, bypass]).toBeArray();
  });
});

describe('The helpers', () => {
  it('make answers for canUseTool too', () => {
    expectTypeOf(answerQuestions).returns.toExtend<PermissionResult>();
    expectTypeOf(declineQuestions).returns.toExtend<PermissionResult>();
    expectTypeOf(approvePlan).returns.toExtend<PermissionResult>();
    expectTypeOf(revisePlan).returns.toExtend<PermissionResult>();
    const canUseTool: CanUseTool = async (name, input, { suggestions }) => {
      if (name === 'AskUserQuestion') return answerQuestions({ input }, {});
      return { behavior: 'allow', updatedPermissions: rememberedRules(suggestions, 'local') };
    };
    expectTypeOf(canUseTool).toEqualTypeOf<CanUseTool>();
  });
});
