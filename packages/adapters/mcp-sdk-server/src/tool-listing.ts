import { isRecord, kindOf, mcpToolName } from '@hexagent/checks';

/** The API takes no longer names. */
const longestName = 128;

/**
 * What is wrong with an answer to `tools/list`. The agent then shows no tool of the server, not even a valid one, and does not
 * report why.
 */
export function listingProblem(result: unknown): string | undefined {
  const { tools, nextCursor }: Readonly<Record<string, unknown>> = isRecord(result) ? result : {};
  if (!Array.isArray(tools)) return wrong('tools', tools, 'a list');
  if (nextCursor !== undefined && typeof nextCursor !== 'string') return wrong('nextCursor', nextCursor, 'a text');
  for (const [index, tool] of tools.entries()) {
    const problem = toolProblem(tool, `tools[${index}]`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The tool that has each whole name. */
export type TakenNames = Map<string, { readonly server: string; readonly name: string }>;

/**
 * Why the agent leaves out tools of an answer to `tools/list`: the whole name is too long, or equals that of another tool once
 * it is written as names of tools are. `taken` holds the names of all servers of a conversation, and receives those of this one.
 */
export function toolsLeftOut(result: unknown, server: string, taken: TakenNames): readonly string[] {
  const tools: unknown = isRecord(result) ? result['tools'] : undefined;
  return (Array.isArray(tools) ? tools : []).flatMap((tool: unknown): readonly string[] => {
    const name: unknown = isRecord(tool) ? tool['name'] : undefined;
    if (typeof name !== 'string') return [];
    const whole = mcpToolName(server, name);
    const before = taken.get(whole);
    if (before === undefined) taken.set(whole, { server, name });
    if (whole.length > longestName)
      return [`the name ${whole} has ${whole.length} characters, and ${longestName} are possible`];
    if (before?.server === server)
      return [`${name} and ${before.name} are both ${whole} to it, which the first one gets`];
    if (before === undefined) return [];
    return [
      `${name} and the tool ${before.name} of the MCP server ${before.server} are both ${whole} to it, which one of them gets`,
    ];
  });
}

type Check = readonly [field: string, isRight: (value: unknown) => boolean, kind: string];

const isText = (value: unknown): boolean => typeof value === 'string';
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isObjects = (value: unknown): boolean => Array.isArray(value) && value.every(isRecord);
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** Fields that may be left out. */
const ofTool: readonly Check[] = [
  ['description', isText, 'a text'],
  ['title', isText, 'a text'],
  ['annotations', isRecord, 'an object'],
  ['_meta', isRecord, 'an object'],
  ['outputSchema', isRecord, 'an object'],
  ['icons', isObjects, 'a list of objects'],
  ['execution', isRecord, 'an object'],
];
const ofSchema: readonly Check[] = [
  ['properties', isRecord, 'an object'],
  ['required', isTexts, 'a list of texts'],
];
const ofAnnotations: readonly Check[] = [
  ['title', isText, 'a text'],
  ['readOnlyHint', isFlag, 'true or false'],
  ['destructiveHint', isFlag, 'true or false'],
  ['idempotentHint', isFlag, 'true or false'],
  ['openWorldHint', isFlag, 'true or false'],
];

function toolProblem(tool: unknown, place: string): string | undefined {
  if (!isRecord(tool)) return wrong(place, tool, 'an object');
  const { name, inputSchema, annotations } = tool;
  if (!isText(name)) return wrong(`${place}.name`, name, 'a text');
  const schema = `${place}.inputSchema`;
  if (!isRecord(inputSchema)) return wrong(schema, inputSchema, 'an object');
  if (inputSchema['type'] !== 'object') return wrong(`${schema}.type`, inputSchema['type'], 'the text object');
  return (
    firstWrong(tool, place, ofTool) ??
    firstWrong(inputSchema, schema, ofSchema) ??
    (isRecord(annotations) ? firstWrong(annotations, `${place}.annotations`, ofAnnotations) : undefined)
  );
}

function firstWrong(
  fields: Readonly<Record<string, unknown>>,
  place: string,
  checks: readonly Check[],
): string | undefined {
  for (const [field, isRight, kind] of checks) {
    const value = fields[field];
    if (value !== undefined && !isRight(value)) return wrong(`${place}.${field}`, value, kind);
  }
  return undefined;
}

const wrong = (place: string, value: unknown, kind: string): string =>
  `Its answer to tools/list has ${kindOf(value)} as \`${place}\`, and ${kind} is accepted: the agent shows none of its tools.`;
