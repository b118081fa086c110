/** What is asked of `ClaudeDesign`. */
export type ClaudeDesignInput = { operation: string; arguments: { [name: string]: unknown } };

/** What it returned. */
export type ClaudeDesignOutput = { operation: string; content: { [name: string]: unknown }[]; isError?: boolean };

/** What is asked of `Artifact`. */
export type ArtifactInput = {
  action?:
    | 'publish'
    | 'list'
    | 'read'
    | 'list_types'
    | 'watch'
    | 'unwatch'
    | 'status'
    | 'upload_asset'
    | 'list_assets'
    | 'read_asset'
    | 'delete_asset'
    | 'pin'
    | 'unpin';
  file_path?: string;
  favicon?: string;
  icon?: string;
  limit?: number;
  page_token?: string;
  scope?: 'mine' | 'shared' | 'all';
  title?: string;
  description?: string;
  label?: string;
  url?: string;
  prompt?: string;
  force?: boolean;
  pin?: boolean;
  out_dir?: string;
  file_paths?: [string, ...string[]];
  asset_id?: string;
  after?: string;
  capabilities?: { [name: string]: unknown };
  contract?: string;
};

/** What is asked of `Projects`. */
export type ProjectsInput = {
  method: ProjectsOutput['method'];
  path?: string;
  content?: string;
  local_path?: string;
  present_to_user?: boolean;
  query?: string;
  n?: number;
};

type ProjectInfo = {
  method: 'project_info';
  local_file?: string;
  name: string;
  description: string;
  instructions: string;
  docs: { path: string; created_at: string | null }[];
  files?: { path: string; file_kind: string; created_at: string | null }[];
  sync_sources?: { type: string | null; config: { [name: string]: unknown } }[];
  knowledge: { knowledge_size: number; max_knowledge_size: number };
};

type ProjectSearch = {
  method: 'project_search';
  rag: boolean;
  hits?: { name?: string; doc_uuid?: string; text?: string; image_attached?: boolean; page?: number }[];
  docs?: string[];
};

type ProjectRead = {
  method: 'project_read';
  path: string;
  file_kind?: string;
  content?: string;
  local_file?: string;
  created_at: string | null;
};

type ProjectWrite = {
  method: 'project_write';
  path: string;
  doc_uuid: string;
  replaced: boolean;
  present_to_user?: boolean;
  local_path?: string;
};

type MemoryFile = { path: string; size_bytes: number; updated_at: string | null; truncated: boolean };

/** What was found or done in a project. */
export type ProjectsOutput = { notice?: string } & (
  | ProjectInfo
  | ProjectRead
  | ProjectSearch
  | ProjectWrite
  | { method: 'project_delete'; path: string; deleted: boolean }
  | { method: 'project_memory_list'; files: MemoryFile[]; truncated: boolean }
  | ({ method: 'project_memory_read'; content?: string; local_file?: string } & MemoryFile)
);
