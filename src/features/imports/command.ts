/** `ledgerstone import` and `ledgerstone imports`. */
import type { Command } from '../../cli/help.ts';
import { addImport } from './command/import.ts';
import { addImports } from './command/imports.ts';

/** The names of its commands. */
export const names = ['import', 'imports'];

export function add(program: Command): void {
  addImport(program);
  addImports(program);
}
