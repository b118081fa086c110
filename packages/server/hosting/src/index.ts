export type { CrashOptions } from './crash-policy.ts';
export { hostingChecks, type HostingOptions, type HostLimits, type SessionHostOptions } from './host-options.ts';
export type { MessageEnd, Receipt } from './hosted-message.ts';
export type { AutoResume, SessionInfo } from './session-parts.ts';
export { MemoryDirectory } from './memory-directory.ts';
export { MemoryLeases } from './memory-leases.ts';
export { MemoryLog, type MemoryLogOptions } from './memory-log.ts';
export { MemorySignals } from './memory-signals.ts';
export { MemoryOutbox, type MemoryOutboxOptions } from './memory-outbox.ts';
export {
  SessionHost,
  type CreateOptions,
  type DeleteOptions,
  type DrainOptions,
  type ObserveOptions,
} from './session-host.ts';
export { SpareAgents, type SpareAgentsOptions } from './spare-agents.ts';
