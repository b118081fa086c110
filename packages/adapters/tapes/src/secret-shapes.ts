/** What redaction puts in place of a secret. */
export const mark = '[redacted]';

/** Secrets that are known by how they look, wherever they stand in a text. Each ends before a quotation mark or a space. */
const shapes = [
  String.raw`\bsk-[A-Za-z0-9_-]{16,}`,
  String.raw`\b[Bb]earer [A-Za-z0-9._~+/=-]{8,}`,
  String.raw`\b[Bb]asic [A-Za-z0-9+/]{12,}={0,2}`,
  String.raw`\bgh[pousr]_[A-Za-z0-9]{20,}`,
  String.raw`\bgithub_pat_\w{20,}`,
  String.raw`\bglpat-[\w-]{16,}`,
  String.raw`\bnpm_[A-Za-z0-9]{30,}`,
  String.raw`\bxox[abeprs]-[\w-]{10,}`,
  String.raw`\bA[KS]IA[A-Z0-9]{16}\b`,
  String.raw`\bAIza[\w-]{30,}`,
  String.raw`\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*`,
  String.raw`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`,
];

/** A user and a password in an address. What stands before the password stays. */
const passwordInUrl = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@"]*:)[^\s/@"]+(?=@)/gi;

const shape = new RegExp(shapes.join('|'), 'g');

export const withoutShapes = (text: string): string => text.replace(shape, mark).replace(passwordInUrl, `$1${mark}`);

/** Found in each line, as JSON, that may hold a secret of a known shape: how they begin. */
export const beginnings: string =
  'sk-|earer |[Bb]asic [A-Za-z0-9]|gh[pousr]_|github_pat|glpat-|npm_|xox[abeprs]-|A[KS]IA[A-Z0-9]|AIza|eyJ|PRIVATE KEY';

/** Found in each line, as JSON, with a field that may have to be redacted by its name, or with an address that has a password. */
export const fields: string = String.raw`:\/\/[^\/"\s]*@|"(?:env|headers)\\*"|(?:uthorization|UTHORIZATION|[Kk]ey|KEY|[Tt]oken|TOKEN|[Ss]ecret|SECRET|assw(?:or)?d|ASSW(?:OR)?D|ookie|OOKIE|redentials?|REDENTIALS?)\\*"`;
