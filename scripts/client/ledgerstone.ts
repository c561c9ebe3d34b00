/** The client itself: one member for each resource. */
import { componentName } from '../../src/openapi/names.ts';
import type { Resource } from '../../src/schema/define.ts';
import { typeNames } from './records.ts';
import { comment } from './type-text.ts';

export function ledgerstoneText(resources: readonly Resource[]): string {
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
  return [
    [
      imported('{ Changes }', '../changes.ts'),
      imported('{ Collection, ReadableCollection }', '../collection.ts'),
      imported('{ Removals }', '../removals.ts'),
      imported('{ type Send, sender }', '../send.ts'),
      imported('{ WebhookEndpoints }', '../webhooks.ts'),
      imported('type { RequestOptions, Settings }', '../settings.ts'),
      imported('type * as our', './records.ts'),
      imported('type { SearchParams, SearchResult }', './search.ts'),
    ].join(''),
    ...kinds.map(({ types, members }) => `interface ${types} {\n${members}}\n`),
    `${comment('Speaks to one service with one key: `new Ledgerstone({ key, url })`.')}export class Ledgerstone {
${kinds
  .map(
    ({ resource, kind, types }) =>
      `${comment(resource.says, '  ')}  readonly ${resource.path}: ${kind}<${types}>;\n`,
  )
  .join(
    '',
  )}${comment('What changed, in the order in which it was done.', '  ')}  readonly changes: Changes;
${comment('What was removed and can be restored.', '  ')}  readonly removals: Removals;
${comment('Where notifications of changes are sent.', '  ')}  readonly webhook_endpoints: WebhookEndpoints;
  readonly #send: Send;

  constructor(settings: Settings) {
    const send = sender(settings);
${kinds
  .map(
    ({ resource, kind }) => `    this.${resource.path} = new ${kind}(send, '${resource.path}');\n`,
  )
  .join('')}    this.changes = new Changes(send);
    this.removals = new Removals(send);
    this.webhook_endpoints = new WebhookEndpoints(send);
    this.#send = send;
  }

${comment('Records of every resource, found by what somebody types.', '  ')}  search(query: SearchParams, options?: RequestOptions): Promise<SearchResult> {
    return this.#send({ method: 'GET', path: '/v1/search', query, options }) as Promise<SearchResult>;
  }
}\n`,
  ].join('\n');
}

function imported(names: string, from: string): string {
  return `import ${names} from '${from}';\n`;
}
