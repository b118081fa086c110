export { ApprovalFiles, type ApprovalFilesOptions } from './approval-files.ts';
export { DirectoryFiles } from './directory-files.ts';
export type { FilesOptions } from './files-options.ts';
export type { Holder } from './holder.ts';
export { LeaseFiles, type LeaseFilesOptions } from './lease-files.ts';
export { OutboxFiles, type OutboxFilesOptions } from './outbox-files.ts';
export { SignalFiles } from './signal-files.ts';
export { tenantFolders, type TenantFolders } from './tenant-folders.ts';
