/** The client itself: one member for each resource. */

import type { Resource } from '../../src/core/schema/define.ts';
import { componentName } from '../openapi/schemas/names.ts';
import type { ClientOperations } from './operations.ts';
import { typeNames } from './records.ts';
import { comment, imported } from './type-text.ts';

export function ledgerstoneText(
  resources: readonly Resource[],
  { groups, methods, imports }: ClientOperations,
): string {
  const kinds = resources.map((resource) => {
    const { record, entry, list, expandable, upsert, patch, named, removed } = typeNames(resource);
    const read = { record, entry, list, expandable };
    const all = resource.parent === undefined ? read : { ...read, upsert, patch, named, removed };
    return {
      resource,
      kind: resource.parent === undefined ? 'ReadableCollection' : 'Collection',
      types: `${componentName(resource)}Types`,
      members: Object.entries(all)
        .map(([member, type]) => `  readonly ${member}: our.${type};\n`)
        .join(''),
    };
  });
  const written = resources.filter(({ parent }) => parent !== undefined);
  return [
    [
      imported('{ Changes }', '../changes.ts'),
      imported('{ Collection, ReadableCollection, type Strict }', '../collection.ts'),
      imported('{ inPath }', '../query.ts'),
      imported('{ type Send, sender }', '../send.ts'),
      imported('type { RequestOptions, Settings }', '../settings.ts'),
      imported(
        '{ type Bulk, runSync, type SyncOf, type SyncOptions, type SyncResult }',
        '../sync.ts',
      ),
      imported('type * as our', './records.d.ts'),
      imports,
    ].join(''),
    ...kinds.map(({ types, members }) => `interface ${types} {\n${members}}\n`),
    `${comment('What is sent of each resource, by its name.')}interface Upserts {
${written.map((resource) => `  readonly ${resource.name}: our.${typeNames(resource).upsert};\n`).join('')}}\n`,
    `${comment('Calls one service with one key: `new Ledgerstone({ key, url })`.')}export class Ledgerstone {
${kinds
  .map(
    ({ resource, kind, types }) =>
      `${comment(resource.says, '  ')}  readonly ${resource.path}: ${kind}<${types}>;\n`,
  )
  .join('')}${comment('All changes, in order.', '  ')}  readonly changes: Changes;
${[...groups]
  .map(
    ([group, type]) =>
      `${comment(`The operations at \`/v1/${group}\`.`, '  ')}  readonly ${group}: ${type};\n`,
  )
  .join('')}  readonly #send: Send;

  constructor(settings: Settings) {
    const send = sender(settings);
${kinds
  .map(
    ({ resource, kind }) => `    this.${resource.path} = new ${kind}(send, '${resource.path}');\n`,
  )
  .join('')}    this.changes = new Changes(send);
${[...groups].map(([group, type]) => `    this.${group} = new ${type}(send);\n`).join('')}    this.#send = send;
  }

${comment(SYNC, '  ')}  sync<Name extends keyof Upserts, Row extends Upserts[Name]>(
    of: SyncOf<Name>,
    rows: AsyncIterable<Strict<Row, Upserts[Name]>> | Iterable<Strict<Row, Upserts[Name]>>,
    options: SyncOptions = {},
  ): Promise<SyncResult<Row>> {
    const { ${written.map(({ name, path }) => `${path}: ${name}`).join(', ')} } = this;
    const to = { ${written.map(({ name }) => name).join(', ')} }[of.resource] as unknown as Bulk<Row>;
    return runSync(this.syncs, of, (more) => to.upsertMany(rows, more), options);
  }

${methods}}\n`,
  ].join('\n');
}

const SYNC =
  'Sends all that you have of a resource at a place, from any iterable, and then removes what your source made there and did not send. Throws `sync_removes_too_much` where that is more than `atMost`. Where it fails, nothing is removed and the sync stays open: start over, or send the rest with `{ resource, unique_identifier }` of the sync.';
