/** The sentences that errors are given where they are thrown, read from the sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export interface OwnMessage {
  /** `undefined` where it is found only when it runs. */
  readonly code: string | undefined;
  /** Pieces of the sentences that it can be, without what is filled in. */
  readonly pieces: readonly string[];
  readonly where: string;
}

/** Of each `ApiError` below the folder that has a message of its own. */
export function ownMessages(folder: string): readonly OwnMessage[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => inFile(join(folder, path), path));
}

function inFile(path: string, where: string): readonly OwnMessage[] {
  const text = readFileSync(path, 'utf8');
  if (!text.includes('new ApiError(')) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: OwnMessage[] = [];
  visit(file, (node) => {
    if (!ts.isNewExpression(node) || node.expression.getText() !== 'ApiError') return;
    const [code, details] = node.arguments ?? [];
    const message = details && messageIn(details);
    if (code === undefined || message === undefined) return;
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    const pieces = [...new Set(piecesOf(message, file))];
    for (const one of codesIn(code))
      found.push({ code: one, pieces, where: `${where}:${line + 1}` });
  });
  return found;
}

/** The value of `message`, wherever among the details it is. */
function messageIn(details: ts.Node): ts.Node | undefined {
  let found: ts.Node | undefined;
  visit(details, (node) => {
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'message')
      found ??= node.initializer;
    if (ts.isShorthandPropertyAssignment(node) && node.name.text === 'message') found ??= node.name;
  });
  return found;
}

function codesIn(code: ts.Node): readonly (string | undefined)[] {
  const found: string[] = [];
  visit(code, (node) => {
    if (ts.isStringLiteral(node)) found.push(node.text);
  });
  return found.length === 0 ? [undefined] : found;
}

/** Every text that an expression can have, by what its names are given in the file: rather too many than too few. */
function piecesOf(start: ts.Node, file: ts.SourceFile, seen = new Set<string>()): string[] {
  const pieces: string[] = [];
  visit(start, (node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) pieces.push(node.text);
    if (ts.isTemplateMiddle(node) || ts.isTemplateTail(node)) pieces.push(node.text);
    if (!ts.isIdentifier(node) || seen.has(node.text)) return;
    if (ts.isPropertyAccessExpression(node.parent)) return;
    seen.add(node.text);
    for (const given of givenTo(node.text, file)) pieces.push(...piecesOf(given, file, seen));
  });
  return pieces;
}

/** What a name is given: its value, the results of a function, and what callers pass. */
function givenTo(name: string, file: ts.SourceFile): readonly ts.Node[] {
  const found: ts.Node[] = [];
  visit(file, (node) => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === name && node.initializer)
      found.push(node.initializer);
    if (ts.isFunctionDeclaration(node) && node.name?.text === name && node.body)
      visit(node.body, (inner) => {
        if (ts.isReturnStatement(inner) && inner.expression) found.push(inner.expression);
      });
    if (!ts.isParameter(node) || node.name.getText() !== name) return;
    const at = node.parent.parameters.indexOf(node);
    const called = nameOf(node.parent);
    visit(file, (call) => {
      if (ts.isCallExpression(call) && call.expression.getText() === called && call.arguments[at])
        found.push(call.arguments[at]);
    });
  });
  return found;
}

function nameOf(made: ts.SignatureDeclaration): string | undefined {
  const { parent } = made;
  return ts.isVariableDeclaration(parent) ? parent.name.getText() : made.name?.getText();
}

function visit(node: ts.Node, act: (node: ts.Node) => void): void {
  act(node);
  ts.forEachChild(node, (child) => visit(child, act));
}
