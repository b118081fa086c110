type Effort = 'low' | 'medium' | 'high' | 'xhigh';

/** Which model answers, and how it thinks. */
export interface ModelSettings {
  model?: string;
  fallbackModel?: string[];
  /** The models that may be chosen, as far as they are restricted. */
  availableModels?: string[];
  availableModelsMatch?: 'prefix' | 'exact';
  enforceAvailableModels?: boolean;
  deniedModels?: string[];
  /** Other names for models, such as those of a cloud provider. */
  modelOverrides?: { [model: string]: string };
  modelPicker?: {
    options: { model: string; label?: string; description?: string; behavesAs?: string }[];
    replaceBuiltInOptions?: boolean;
  };
  /** What tokens cost, in place of the list prices. */
  modelPricing?: {
    multiplier?: number;
    overrides?: { [model: string]: { input: number; output: number; cacheRead: number; cacheWrite: number } };
  };
  modelSettings?: {
    [model: string]: {
      effortLevel?: Effort;
      maxEffortLevel?: Effort | 'max';
      autoCompactWindow?: 'auto' | number;
      [key: string]: unknown;
    };
  };
  advisorModel?: string;
  switchModelsOnFlag?: boolean;

  effortLevel?: Effort;
  maxEffortLevel?: Effort | 'max';
  ultracode?: boolean;
  alwaysThinkingEnabled?: boolean;
  showThinkingSummaries?: boolean;
  fastMode?: boolean;
  fastModePerSessionOptIn?: boolean;

  promptCacheTtl?: '5m' | '1h';
  subagentPromptCacheTtl?: '5m' | '1h';
  autoCompactEnabled?: boolean;
  autoCompactWindow?: number;
  precomputeCompactionEnabled?: boolean;
  idleCompaction?: boolean;
  autoContinueAtUsageLimit?: boolean;
}
