// Reads a package's public surface from its emitted .d.ts files: every exported declaration, and every declaration of
// the package that those mention, as text without comments. TypeScript 7 has no JavaScript API, so 6 reads.
import { existsSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript-6';
import { packageFolder, readJson } from './workspace.mjs';

const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });

/** `{ '.': '/…/dist/index.d.ts' }`: one per export that has types. */
function entriesOf({ name, dir, manifest }) {
  const entries = Object.entries(manifest.exports).filter(([, target]) => target.types !== undefined);
  return entries.map(([subpath, target]) => {
    const file = path.join(dir, target.types);
    if (!existsSync(file)) throw new Error(`${file} is missing: run pnpm build first.`);
    return { specifier: path.posix.join(name, subpath), file };
  });
}

/** The whole surface of one package, as the text that is committed. */
export function surfaceOf(workspacePackage) {
  const sections = sectionsOf(workspacePackage, path.join(workspacePackage.dir, 'dist'));
  return sections
    .map(({ title, declarations }) => section(title, declarations))
    .filter(Boolean)
    .join('\n');
}

/**
 * `[{ title, declarations }]`: for each entry the text of what it exports, and of what those declarations mention.
 * @param own the folder of the declarations that belong to the package
 */
export function sectionsOf(workspacePackage, own) {
  const entries = entriesOf(workspacePackage);
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, skipLibCheck: true, types: [] },
  );
  const reader = new SurfaceReader(program.getTypeChecker(), own + path.sep);
  const sections = entries.map(({ specifier, file }, index) => {
    const same = entries.slice(0, index).find((entry) => entry.file === file);
    if (same !== undefined) return { title: specifier, declarations: [`The same as ${same.specifier}.`] };
    return { title: specifier, declarations: reader.exportsOf(program.getSourceFile(file)) };
  });
  return [...sections, { title: 'mentioned, not exported', declarations: reader.mentioned() }];
}

function section(title, declarations) {
  if (declarations.length === 0) return '';
  return `# ${title}\n\n${declarations.toSorted().join('\n')}\n`;
}

function packageOf(node) {
  return readJson(path.join(packageFolder(node.getSourceFile().fileName), 'package.json')).name;
}

class SurfaceReader {
  #checker;
  #dist;
  #exported = new Set();
  #pending = new Set();

  constructor(checker, dist) {
    this.#checker = checker;
    this.#dist = dist;
  }

  exportsOf(sourceFile) {
    const module = this.#checker.getSymbolAtLocation(sourceFile);
    if (module === undefined) return [];
    return this.#checker.getExportsOfModule(module).map((exported) => {
      const symbol = this.#target(exported);
      this.#exported.add(symbol);
      return this.#textOf(symbol, exported.name);
    });
  }

  /** What exported declarations lead to inside the package. A user meets it without being able to name it. */
  mentioned() {
    const texts = [];
    for (const symbol of this.#pending) {
      if (!this.#exported.has(symbol)) texts.push(this.#textOf(symbol, symbol.name));
    }
    return texts;
  }

  #target(symbol) {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  #textOf(symbol, name) {
    const declarations = symbol.declarations ?? [];
    const [first] = declarations;
    if (first === undefined) throw new Error(`${name} is exported, and its declaration cannot be found.`);
    if (!this.#isOurs(first)) return `export { ${name} } from '${packageOf(first)}';`;
    const renamed = name === symbol.name ? '' : `${name} = `;
    return declarations.map((node) => renamed + this.#print(node)).join('\n');
  }

  #print(declaration) {
    // `const x: T` is declared inside a list inside a statement; only the statement has the `const`.
    const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
    this.#follow(node);
    return printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile());
  }

  #follow(node) {
    if (ts.isIdentifier(node)) {
      const found = this.#checker.getSymbolAtLocation(node);
      const symbol = found && this.#target(found);
      if (symbol && this.#isOwnTopLevel(symbol)) this.#pending.add(symbol);
    }
    ts.forEachChild(node, (child) => this.#follow(child));
  }

  #isOwnTopLevel(symbol) {
    return (symbol.declarations ?? []).some((node) => {
      const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node;
      return this.#isOurs(node) && ts.isSourceFile(statement.parent ?? node) && !ts.isSourceFile(node);
    });
  }

  #isOurs(node) {
    return path.resolve(node.getSourceFile().fileName).startsWith(this.#dist);
  }
}
