/** What is asked of `Read`. */
export type FileReadInput = {
  file_path: string;
  offset?: number;
  limit?: number;
  pages?: string;
  allow_large?: boolean;
};

type ImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';

type ImageFile = {
  base64: string;
  type: ImageType;
  originalSize: number;
  dimensions?: { originalWidth?: number; originalHeight?: number; displayWidth?: number; displayHeight?: number };
};

type TextFile = {
  filePath: string;
  content: string;
  numLines: number;
  startLine: number;
  totalLines: number;
  truncatedByTokenCap?: boolean;
};

/** What `Read` read, by the kind of file. */
export type FileReadOutput =
  | { type: 'text'; file: TextFile; artifactRead?: { slug: string; ver: string } }
  | { type: 'image'; file: ImageFile }
  | { type: 'notebook'; file: { filePath: string; cells: unknown[] } }
  | { type: 'pdf'; file: { filePath: string; base64: string; originalSize: number } }
  | {
      type: 'parts';
      file: { filePath: string; originalSize: number; count: number; outputDir: string };
      firstPage?: number;
      pages?: { base64: string; mediaType: ImageType; error?: string }[];
    };

type Patch = { oldStart: number; oldLines: number; newStart: number; newLines: number; lines: string[] }[];

type GitDiff = {
  filename: string;
  status: 'modified' | 'added';
  additions: number;
  deletions: number;
  changes: number;
  patch: string;
  repository?: string | null;
};

/** What is asked of `Edit`. */
export type FileEditInput = { file_path: string; old_string: string; new_string: string; replace_all?: boolean };

/** What `Edit` changed. */
export type FileEditOutput = {
  filePath: string;
  oldString: string;
  newString: string;
  originalFile: string | null;
  structuredPatch: Patch;
  userModified: boolean;
  replaceAll: boolean;
  gitDiff?: GitDiff;
  staged?: boolean;
};

/** What is asked of `Write`. */
export type FileWriteInput = { file_path: string; content: string };

/** What `Write` wrote. */
export type FileWriteOutput = {
  type: 'create' | 'update';
  filePath: string;
  content: string;
  structuredPatch: Patch;
  originalFile: string | null;
  gitDiff?: GitDiff;
  userModified?: boolean;
  staged?: boolean;
};

type CellType = 'code' | 'markdown';

/** What is asked of `NotebookEdit`. */
export type NotebookEditInput = {
  notebook_path: string;
  cell_id?: string;
  new_source: string;
  cell_type?: CellType;
  edit_mode?: 'replace' | 'insert' | 'delete';
};

/** What `NotebookEdit` changed. */
export type NotebookEditOutput = {
  new_source: string;
  old_source?: string;
  cell_id?: string;
  cell_type: CellType;
  language: string;
  edit_mode: string;
  error?: string;
  notebook_path: string;
  original_file: string;
  updated_file: string;
};

/** What is asked of `Glob`. */
export type GlobInput = { pattern: string; path?: string };

/** What `Glob` found. */
export type GlobOutput = {
  durationMs: number;
  numFiles: number;
  filenames: string[];
  truncated: boolean;
  totalMatches?: number;
  countIsComplete?: boolean;
  timedOut?: boolean;
};

type GrepMode = 'content' | 'files_with_matches' | 'count';

/** What is asked of `Grep`. */
export type GrepInput = {
  pattern: string;
  path?: string;
  glob?: string;
  output_mode?: GrepMode;
  '-B'?: number;
  '-A'?: number;
  '-C'?: number;
  context?: number;
  '-n'?: boolean;
  '-i'?: boolean;
  '-o'?: boolean;
  type?: string;
  head_limit?: number;
  offset?: number;
  multiline?: boolean;
};

/** What `Grep` found. */
export type GrepOutput = {
  mode?: GrepMode;
  numFiles: number;
  filenames: string[];
  content?: string;
  numLines?: number;
  numMatches?: number;
  totalFiles?: number;
  totalLines?: number;
  appliedLimit?: number;
  appliedOffset?: number;
  timedOut?: boolean;
};
