import type { DeferredToolUse, ErrorResult, PermissionDenial, SuccessResult } from '@hexagent/ports';
import type { NonNullableUsage } from './common.ts';
import type { Official } from './mutable.ts';

export type { StartupFailureReason as SDKStartupFailureReason } from '@hexagent/ports';

/** A tool call that was not allowed to run. */
export type SDKPermissionDenial = Official<PermissionDenial>;

/** A tool call that a hook deferred. */
export type SDKDeferredToolUse = Official<DeferredToolUse>;

type Result<Of> = Official<Omit<Of, 'model_usage_since_last_result'>, { usage: NonNullableUsage }>;

/** The end of a turn that ran to its end. */
export type SDKResultSuccess = Result<SuccessResult>;

/** The end of a turn that was cut short. After an exit with code 1 the query also throws. */
export type SDKResultError = Result<ErrorResult>;

/** The end of a turn. */
export type SDKResultMessage = SDKResultSuccess | SDKResultError;
