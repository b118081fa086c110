export { answerMembers, checkedDecision, plainAnswer } from './checked-decision.ts';
export { headOf, isConversationType, type EntryHead } from './entry-heads.ts';
export { errorText } from './error-text.ts';
export { isPlainObject, jsonCopy } from './json-copy.ts';
export type { JsonCopy, JsonCopyOptions } from './json-copy.ts';
export { nearestName, plainForm, slipsBetween } from './misspelt-names.ts';
export { isName } from './names.ts';
export { checkBytes, checkDelay } from './numbers.ts';
export { plainCopy, plainOptions } from './plain-values.ts';
export { whyNotAsked } from './reachability.ts';
export type { AskingFacts } from './reachability.ts';
export { throwWarning } from './throw-warning.ts';
export {
  currentToolName,
  formOfRules,
  knownToolNames,
  meantTool,
  serverInToolNames,
  wrongCapitals,
} from './tool-names.ts';
export { isRecord, kindAndKeys, kindOf, shown } from './unknown-values.ts';
