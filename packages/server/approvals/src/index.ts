export { Approvals, type ApprovalEvent, type ApprovalsOptions } from './approvals.ts';
export { MemoryApprovalStore, type MemoryApprovalStoreOptions } from './memory-approval-store.ts';
export { allowWith, describeSuggestions, type AllowWithOptions, type SuggestionDescription } from './suggestions.ts';
