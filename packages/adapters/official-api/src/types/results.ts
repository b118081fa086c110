import type { DeferredToolUse, ErrorResult, PermissionDenial, SuccessResult } from '@hexagent/ports';
import type { NonNullableUsage } from './common.ts';
import type { Mutable, MutableWith } from './mutable.ts';

export type { StartupFailureReason as SDKStartupFailureReason } from '@hexagent/ports';

/** A tool call that was not allowed to run. */
export type SDKPermissionDenial = Mutable<PermissionDenial>;

/** A tool call that a hook deferred. */
export type SDKDeferredToolUse = Mutable<DeferredToolUse>;

type Official<Result> = MutableWith<Omit<Result, 'model_usage_since_last_result'>, { usage: NonNullableUsage }>;

/** The end of a turn that ran to its end. */
export type SDKResultSuccess = Official<SuccessResult>;

/** The end of a turn that was cut short. After an exit with code 1 the query also throws. */
export type SDKResultError = Official<ErrorResult>;

/** The end of a turn. */
export type SDKResultMessage = SDKResultSuccess | SDKResultError;
