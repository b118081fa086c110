export { MemoryDirectory } from './memory-directory.ts';
export { MemoryLeases } from './memory-leases.ts';
export { MemoryOutbox } from './memory-outbox.ts';
