/** Reads where an export goes, and in which format. */
import { extname, join } from 'node:path';
import { resources } from '../../core/registry.ts';
import type { Resource } from '../../core/schema/define.ts';
import { FORMATS, type Format } from '../../services/export/formats.ts';
import { isFile, isFolder } from '../backup/backup-file.ts';
import { resourcesNamed } from '../keys/key-scope.ts';
import { Mistake } from '../mistake.ts';
import type { PaceOptions } from '../pace.ts';

/** A resource, and where its rows go. */
export interface ResourceFile {
  readonly resource: Resource;
  readonly file: string;
}

export interface ExportOptions extends PaceOptions {
  readonly resource?: readonly string[];
  readonly account?: string;
  readonly format?: Format;
  readonly out?: string;
  readonly since?: string;
  readonly json?: true;
}

export const FORMAT_NAMES = Object.keys(FORMATS) as Format[];

/** Files, in a folder or not, or one resource that is printed. */
export type Target =
  | {
      readonly format: Format;
      readonly files: readonly ResourceFile[];
      readonly folder: string | undefined;
    }
  | { readonly format: Format; readonly files?: never; readonly resource: Resource };

/** Throws a `Mistake` where the options do not go together. */
export function readTarget(options: ExportOptions): Target {
  const { resource: names, format: given, out, since, json } = options;
  if (since !== undefined && names !== undefined) {
    throw new Mistake('--since covers all resources. Leave out --resource.');
  }
  const wanted = wantedResources(resourcesNamed('--resource', names));
  const [first, ...others] = wanted;
  if (first === undefined) throw new TypeError('No resource has rows.');
  if (since !== undefined && out === undefined) {
    throw new Mistake('--since also writes a file of what was removed. Name a folder with --out.');
  }
  if (out === undefined) {
    if (others.length > 0) {
      throw new Mistake('Name a folder with --out, or one resource with --resource.');
    }
    if (json)
      throw new Mistake('--json describes the files that were written. Name one with --out.');
    if (given === 'xlsx' && process.stdout.isTTY) {
      throw new Mistake('A workbook is not written to a terminal. Name a file with --out.');
    }
    return { format: given ?? 'ndjson', resource: first };
  }
  if (others.length > 0 || out.endsWith('/') || isFolder(out)) {
    if (isFile(out)) {
      throw new Mistake(
        `${out} is a file, but each resource needs a file of its own. Name a folder.`,
      );
    }
    const format = given ?? 'ndjson';
    const files = wanted.map((resource) => ({
      resource,
      file: join(out, `${resource.path}.${format}`),
    }));
    return { format, files, folder: out };
  }
  return {
    format: given ?? formatOf(out),
    files: [{ resource: first, file: out }],
    folder: undefined,
  };
}

/** Finds resources by path name, in the order of the registry: parents come before what belongs to them. */
function wantedResources(names: readonly string[]): readonly Resource[] {
  const exported = resources.filter(({ parent }) => parent !== undefined);
  if (names.length === 0) return exported;
  const root = names.find((name) => !exported.some(({ path }) => path === name));
  if (root !== undefined) {
    throw new Mistake(
      `${root} are not exported as rows. "ledgerstone accounts list --json" shows them.`,
    );
  }
  return exported.filter(({ path }) => names.includes(path));
}

function formatOf(file: string): Format {
  const ending = extname(file).slice(1).toLowerCase();
  return FORMAT_NAMES.find((format) => format === ending) ?? 'ndjson';
}
