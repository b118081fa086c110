export {
  callable,
  dictionary,
  flag,
  given,
  having,
  isList,
  isMethod,
  list,
  membersOf,
  number,
  oneOf,
  read,
  record,
  text,
} from './check.ts';
export type { Check, Checks, RecordOptions } from './check.ts';
export { answerMembers, checkedAnswer, checkedDecision, plainAnswer } from './checked-answer.ts';
export {
  anyText,
  argument,
  bytes,
  delay,
  effort,
  limit,
  mode,
  names,
  path,
  positive,
  source,
  uuid,
  wholePositive,
} from './common.ts';
export { didYouMean } from './did-you-mean.ts';
export type { Elsewhere } from './did-you-mean.ts';
export { headOf, isConversationType } from './entry-heads.ts';
export { errorText, hasCode } from './error-text.ts';
export { isPlainObject, jsonCopy } from './json-copy.ts';
export type { JsonCopy, JsonCopyOptions } from './json-copy.ts';
export { JsonScan } from './json-scan.ts';
export type { JsonStructure } from './json-scan.ts';
export { nearestName, plainForm, slipsBetween } from './misspelt-names.ts';
export { isName } from './names.ts';
export { checkBytes, checkDelay } from './numbers.ts';
export { plainCopy, plainOptions } from './plain-values.ts';
export { whyNotAsked } from './reachability.ts';
export type { AskingFacts } from './reachability.ts';
export { inside, refuse } from './refusing.ts';
export { abortSignal } from './signal.ts';
export { throwWarning } from './throw-warning.ts';
export {
  currentToolName,
  formOfRules,
  isToolName,
  knownToolNames,
  mcpToolName,
  meantTool,
  serverInToolNames,
  wrongCapitals,
} from './tool-names.ts';
export { isRecord, kindAndKeys, kindOf, shown } from './unknown-values.ts';
