/**
 * The content of a settings file. Typed for the keys this SDK uses and tests; the CLI knows many more, and every key is
 * handed on as it is.
 */
export interface Settings {
  env?: { [name: string]: string };
  permissions?: {
    allow?: string[];
    deny?: string[];
    ask?: string[];
    defaultMode?: 'acceptEdits' | 'auto' | 'bypassPermissions' | 'default' | 'dontAsk' | 'plan';
    additionalDirectories?: string[];
    [key: string]: unknown;
  };
  model?: string;
  effortLevel?: 'low' | 'medium' | 'high' | 'xhigh';
  [key: string]: unknown;
}
