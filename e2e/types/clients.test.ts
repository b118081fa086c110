import { describe, expect, it } from 'vitest';
import { anyIn } from './all-the-way-down.ts';
import { clients, refuted } from './compare.ts';
import { facade, official } from './facade.ts';
import { officialNames } from './official-names.ts';

const solid = 'type NotAny<T> = 0 extends 1 & T ? false : true;';
const claimsAbout = (statements: Readonly<Record<string, string>>): readonly { id: string; code: string }[] =>
  Object.entries(statements).map(([id, code], index) => ({ id, code: `export const claim${index}${code};` }));

/** What the functions of a client take and give, by what the message of a query is. */
const handedOn = {
  'is no any': ': NotAny<ours.SDKAssistantMessage["message"]> = true',
  'takes a message': ' = (from: ours.SDKAssistantMessage): beta.BetaMessage => from.message',
  'takes its blocks': ' = (from: ours.SDKAssistantMessage): beta.BetaContentBlock[] => from.message.content',
  'takes its container': ' = (from: ours.SDKAssistantMessage): beta.BetaContainer | null => from.message.container',
  'takes citations':
    ' = (from: ours.SDKAssistantMessage): beta.BetaTextCitation[] => from.message.content.flatMap((block) => block.type === "text" ? (block.citations ?? []) : [])',
  'takes results of server tools':
    ' = (from: ours.SDKAssistantMessage): beta.BetaWebSearchToolResultBlock[] => from.message.content.filter((block) => block.type === "web_search_tool_result")',
  'takes the usage of a message': ' = (from: ours.SDKAssistantMessage): beta.BetaUsage => from.message.usage',
  'takes the usage of a result': ' = (from: ours.SDKResultMessage): beta.BetaUsage => from.usage',
  'takes an event of the stream':
    ' = (from: ours.SDKPartialAssistantMessage): beta.BetaRawMessageStreamEvent => from.event',
  "takes a user's message": ' = (from: ours.SDKUserMessage): api.MessageParam => from.message',
  "gives a user's message":
    ' = (message: api.MessageParam): ours.SDKUserMessage => ({ type: "user", message, parent_tool_use_id: null })',
};

const importsOf = (client: string): readonly string[] => [
  `import type * as ours from '${facade}';`,
  `import type * as beta from '${client}/resources/beta/messages/messages.mjs';`,
  `import type * as api from '${client}/resources/messages/messages.mjs';`,
  solid,
];

describe('A program with the API client', () => {
  it.each(clients)(
    '%s hands what it reads to the functions of that client, and the other way round',
    async (client) => {
      const wrong = await refuted(importsOf(client), claimsAbout(handedOn), { client });
      expect(Object.fromEntries(wrong)).toEqual({});
    },
  );

  it('of another version than the one that is installed beside ours is reported', async () => {
    const wrong = await refuted(importsOf('anthropic-190'), claimsAbout(handedOn), { client: 'anthropic-082' });
    expect([...wrong.keys()]).toContain('takes a message');
  });
});

describe('A program without an API client', () => {
  const withoutClient = [
    `import type * as ours from '${facade}';`,
    solid,
    ...anyIn,
    'type NoneOf<T> = [T] extends [never] ? true : T;',
  ];

  it('reads and writes messages, none of which is any', async () => {
    const names = [
      'SDKAssistantMessage',
      'SDKMessage',
      'SDKPartialAssistantMessage',
      'SDKResultMessage',
      'SDKUserMessage',
    ];
    const solidTypes = names.flatMap((name) => [
      [`${name} is solid`, `: NotAny<ours.${name}> = true`],
      [`${name} is solid inside`, `: NoneOf<AnyIn<ours.${name}>> = true`],
    ]);
    const wrong = await refuted(
      withoutClient,
      claimsAbout({
        ...(Object.fromEntries(solidTypes) as Record<string, string>),
        'reads text':
          ' = (from: ours.SDKAssistantMessage): string[] => from.message.content.flatMap((block) => block.type === "text" ? [block.text] : [])',
        'counts tokens': ' = (from: ours.SDKResultMessage): number => from.usage.input_tokens',
        'reads the stream':
          ' = (from: ours.SDKPartialAssistantMessage): string => from.event.type === "content_block_delta" && from.event.delta.type === "text_delta" ? from.event.delta.text : ""',
        'writes a message':
          ': ours.SDKUserMessage = { type: "user", message: { role: "user", content: "hi" }, parent_tool_use_id: null }',
      }),
      { client: 'none' },
    );
    expect(Object.fromEntries(wrong)).toEqual({});
  });

  it('takes a message and nothing else', async () => {
    const claims = claimsAbout({ wrong: ': ours.SDKAssistantMessage["message"] = 5' });
    expect([...(await refuted(withoutClient, claims, { client: 'none' })).keys()]).toEqual(['wrong']);
  });

  it('has forms of ours that take everything the client of the official package holds, with every key', async () => {
    const forms = {
      ApiMessage: 'beta.BetaMessage',
      ApiUsage: 'beta.BetaUsage',
      ApiStreamEvent: 'beta.BetaRawMessageStreamEvent',
      ApiMessageParam: 'api.MessageParam',
    };
    const claims = Object.entries(forms).flatMap(([ours, theirs]) => [
      [`${ours} is wide enough`, ` = (value: ${theirs}): own.${ours} => value`],
      [`${ours} is complete`, `: NoneOf<Exclude<KeysOf<${theirs}>, KeysOf<own.${ours}>>> = true`],
    ]);
    const imports = [
      `import type * as own from '../../../../packages/adapters/official-api/src/types/api.ts';`,
      ...importsOf('anthropic-190').slice(1),
      'type KeysOf<T> = T extends unknown ? keyof T : never;',
      'type NoneOf<T> = [T] extends [never] ? true : T;',
    ];
    const wrong = await refuted(imports, claimsAbout(Object.fromEntries(claims) as Record<string, string>));
    expect(Object.fromEntries(wrong)).toEqual({});
  });

  it('is compared with the client that the official package is typed with', async () => {
    expect(officialNames().length).toBeGreaterThan(200);
    const same = { same: ' = (from: official.SDKAssistantMessage): beta.BetaMessage => from.message' };
    const imports = [`import type * as official from '${official}';`, ...importsOf('anthropic-190').slice(1)];
    expect([...(await refuted(imports, claimsAbout(same))).keys()]).toEqual([]);
  });
});
