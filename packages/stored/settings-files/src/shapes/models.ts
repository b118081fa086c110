import { object, record, recordOfReadable } from './objects.ts';
import {
  closing,
  either,
  type Fields,
  flag,
  integer,
  lenient,
  lenientToPersons,
  list,
  listOfPolicy,
  listOfReadable,
  number,
  policyOnly,
  text,
  oneOf,
} from './shape.ts';

const effort = oneOf('low', 'medium', 'high', 'xhigh');
const anyEffort = oneOf('low', 'medium', 'high', 'xhigh', 'max');
const time = oneOf('5m', '1h');
const compactWindow = integer({ from: 100_000 });
const price = number({ from: 0, to: 10_000 });

export const modelShapes: Fields = {
  model: text,
  fallbackModel: list(text),
  availableModels: closing(listOfPolicy(text), [], { unless: [] }),
  availableModelsMatch: policyOnly(closing(oneOf('prefix', 'exact'), 'exact')),
  enforceAvailableModels: closing(flag, true),
  deniedModels: policyOnly(listOfReadable(text)),
  modelOverrides: record(text),
  modelPicker: object(
    {
      options: listOfReadable(
        object({ model: text, label: text, description: text, behavesAs: text }, { needs: ['model'] }),
      ),
      replaceBuiltInOptions: lenient(flag),
    },
    { needs: ['options'] },
  ),
  modelPricing: object({
    multiplier: lenient(number({ above: 0, to: 10 })),
    overrides: lenient(
      recordOfReadable(
        object(
          { input: price, output: price, cacheRead: price, cacheWrite: price },
          { needs: ['input', 'output', 'cacheRead', 'cacheWrite'] },
        ),
      ),
    ),
  }),
  modelSettings: lenientToPersons(
    recordOfReadable(
      lenient(
        object(
          {
            effortLevel: lenient(effort),
            maxEffortLevel: lenient(anyEffort),
            autoCompactWindow: lenient(either(oneOf('auto'), compactWindow)),
          },
          { keepsOthers: true },
        ),
      ),
    ),
  ),
  advisorModel: text,
  switchModelsOnFlag: flag,
  effortLevel: lenientToPersons(effort),
  maxEffortLevel: lenientToPersons(anyEffort),
  ultracode: lenientToPersons(flag),
  alwaysThinkingEnabled: flag,
  showThinkingSummaries: flag,
  fastMode: flag,
  fastModePerSessionOptIn: closing(flag, true),
  promptCacheTtl: lenientToPersons(time),
  subagentPromptCacheTtl: lenientToPersons(time),
  autoCompactEnabled: flag,
  autoCompactWindow: lenientToPersons(compactWindow),
  precomputeCompactionEnabled: flag,
  idleCompaction: flag,
  autoContinueAtUsageLimit: closing(flag, false),
};
