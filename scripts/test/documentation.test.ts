import path from 'node:path';
import ts from 'typescript-6';
import { describe, expect, it } from 'vitest';
import { root } from '../workspace.mjs';
import { Folder } from './planted.ts';

/** In the spelling of the agent or of MCP: the meaning of a field is documented there. */
const onTheWire = new Set([
  'Exit',
  'InitializeResult',
  'ObservedEvent',
  'PermissionRequest',
  'StoredRules',
  'ToolAnnotations',
  'ToolContent',
  'ToolInputs',
]);
const vocabulary = path.join(root, 'packages/ports/src/vocabulary');
/** Files of the vocabulary that hold options, which a program writes. */
const options = new Set(['dialled-server.ts', 'hook-table.ts', 'subagent.ts', 'user-input.ts']);

/** Every public name, option and method of an entry without a description, in the form `Type.member`. */
function undocumented(entry: string): readonly string[] {
  const program = ts.createProgram([entry], {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    customConditions: ['@hexagent/source'],
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entry);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${entry} exports nothing.`);
  return checker.getExportsOfModule(module).flatMap((exported) => {
    if (isOfficial(exported)) return [];
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const isSilent = symbol.getDocumentationComment(checker).length === 0;
    return [...(isSilent ? [exported.name] : []), ...(isOnTheWire(symbol) ? [] : silentMembersOf(symbol, checker))];
  });
}

/** The names of the official package are documented there. */
function isOfficial(exported: ts.Symbol): boolean {
  return (exported.declarations ?? []).some((node) => node.getSourceFile().fileName.includes('/official-api/src/'));
}

function isOnTheWire(symbol: ts.Symbol): boolean {
  if (onTheWire.has(symbol.name)) return true;
  return (symbol.declarations ?? []).some((node) => {
    const { dir, base } = path.parse(node.getSourceFile().fileName);
    return path.resolve(dir) === vocabulary && !options.has(base);
  });
}

function silentMembersOf(symbol: ts.Symbol, checker: ts.TypeChecker): readonly string[] {
  const silent: string[] = [];
  const visit = (node: ts.Node): void => {
    const isMember = ts.isPropertySignature(node) || ts.isMethodSignature(node) || ts.isPropertyDeclaration(node);
    if (isMember && !ts.isPrivateIdentifier(node.name)) {
      const member = checker.getSymbolAtLocation(node.name);
      // A literal needs no description.
      const isLiteral = node.type !== undefined && ts.isLiteralTypeNode(node.type);
      if (!isLiteral && member?.getDocumentationComment(checker).length === 0)
        silent.push(`${symbol.name}.${node.name.getText()}`);
    }
    // The members of a member are part of its description.
    else ts.forEachChild(node, visit);
  };
  for (const declaration of symbol.declarations ?? [])
    if (ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration)) visit(declaration);
  return silent;
}

describe('The native face', () => {
  it('describes every name, option and method', () => {
    expect(undocumented(path.join(root, 'packages/sdk/src/index.ts'))).toEqual([]);
  });
});

describe('The guard over comments', () => {
  it('sees a name, an option and a method without one', () => {
    using folder = new Folder();
    folder.write(
      'index.ts',
      `
        export interface Silent {
          /** Said. */
          said: string;
          option?: { inner: string };
          method(): void;
        }
        /** Said. */
        export type Union = { kind: 'a' } | { kind: 'b'; member: string };
        export const silent = 1;
        /** Said. */
        export const said = 2;
      `,
    );
    expect(undocumented(path.join(folder.dir, 'index.ts'))).toEqual([
      'Silent',
      'Silent.option',
      'Silent.method',
      'Union.member',
      'silent',
    ]);
  });
});
