import { join, relative } from 'node:path';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import {
  isAsExpression,
  isCallExpression,
  isDoStatement,
  isEmptyStatement,
  isForStatement,
  isFunctionLikeDeclaration,
  isInterfaceDeclaration,
  isMethodSignatureDeclaration,
  isPropertyAccessExpression,
  isPropertySignatureDeclaration,
  isWhileStatement,
} from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/sync';
import { ROOT } from './tree.ts';

/** One file as the TypeScript parser reads it. */
export interface Parsed {
  readonly path: string;
  readonly source: SourceFile;
}

/** Parses files, by their paths from the root. Nothing is resolved or checked: that would take ten times as long. */
export function parse(paths: readonly string[]): Parsed[] {
  const config = join(ROOT, 'tsconfig.syntax.json');
  const compilerOptions = { noResolve: true, noLib: true, noEmit: true, types: [] };
  const text = JSON.stringify({ compilerOptions, files: paths.map((path) => join(ROOT, path)) });
  const api = new API({
    cwd: ROOT,
    fs: {
      readFile: (name) => (name === config ? text : undefined),
      fileExists: (name) => (name === config ? true : undefined),
    },
  });
  try {
    const program = api.updateSnapshot({ openProjects: [config] }).getProject(config)?.program;
    return (program?.getSourceFileNames() ?? []).flatMap((name) => {
      const source = program?.getSourceFile(name);
      return source ? [{ path: relative(ROOT, name), source }] : [];
    });
  } finally {
    api.close();
  }
}

/** The functions of a file, by the nearest name around them, with their lines, those of nested functions included. */
export function functionsIn({ source }: Parsed): { readonly name: string; readonly lines: number }[] {
  const found: { name: string; lines: number }[] = [];
  walk(source, (node, name) => {
    if (!isFunctionLikeDeclaration(node)) return;
    const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line;
    found.push({ name, lines: lineOf(node.end) - lineOf(node.getStart(source)) + 1 });
  });
  return found;
}

/** The interfaces of a file, with how many members of their own they have, and how many of those may be absent. */
export function interfacesIn({ source }: Parsed) {
  return source.statements.filter(isInterfaceDeclaration).map(({ name, members }) => {
    const named = members.filter(
      (each) => isPropertySignatureDeclaration(each) || isMethodSignatureDeclaration(each),
    );
    const optional = named.filter(({ postfixToken }) => postfixToken !== undefined).length;
    return { name: name.text, members: members.length, optional };
  });
}

/** The functions that repeat something until it is done, and commit or do nothing else while they do. */
export function commitLoopsIn({ source }: Parsed): string[] {
  const found: string[] = [];
  walk(source, (node, name) => {
    if (!(isForStatement(node) || isWhileStatement(node) || isDoStatement(node))) return;
    let commits = isEmptyStatement(node.statement);
    walk(node, (inner) => {
      commits ||= isCallOf(inner, 'commit');
    });
    if (commits) found.push(name);
  });
  return found;
}

/** The functions that say what JSON is without having looked. */
export function uncheckedJsonIn({ source }: Parsed): string[] {
  const found: string[] = [];
  walk(source, (node, name) => {
    if (isAsExpression(node) && isCallOf(node.expression, 'parse') && node.type.getText(source) !== 'unknown')
      found.push(name);
  });
  return found;
}

function isCallOf(node: Node, method: string): boolean {
  return (
    isCallExpression(node) &&
    isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === method
  );
}

/** Visits every node, with the nearest name around it. */
function walk(node: Node, visit: (node: Node, name: string) => void, around = ''): void {
  const own = (node as { readonly name?: { readonly text?: string } }).name?.text;
  const name = own ?? around;
  visit(node, name);
  node.forEachChild((child) => walk(child, visit, name));
}
