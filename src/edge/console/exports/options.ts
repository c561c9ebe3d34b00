/** The options of an export, as the console sends them. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Resource } from '../../../core/schema/define.ts';
import { optional, required, text } from '../../../core/schema/fields/index.ts';
import type { ParamsOf } from '../../../core/schema/fields/object.ts';
import { CONSOLE_FORMATS, type ConsoleFormat } from '../../../services/export/formats.ts';
import { received } from '../../request/operations.ts';
import { texts } from '../members.ts';

export type ExportRequest = Awaited<ReturnType<typeof readExport>>;

const body = {
  resources: required(texts, 'The resources, by their names in paths'),
  format: required(text(), 'The format of the files'),
  filters: optional(text(), 'The query of the list of the one resource'),
  location: optional(text(), 'The only location whose records are exported'),
} as const;

/** Throws with every fault. Resources come in the order of the registry: parents before what belongs to them. */
export async function readExport(
  request: FastifyRequest,
  reply: FastifyReply,
  known: readonly Resource[],
) {
  const { read } = await received({ body }, request, reply);
  const sent = read((values, faults) => {
    const { resources = [], format, filters, location } = values as Partial<ParamsOf<typeof body>>;
    const wrong = (param: string, message: string) => faults.add(param, 'value_invalid', message);
    const paths = known.map(({ path }) => path);
    if (resources.length === 0 || !resources.every((one) => paths.includes(one)))
      wrong('resources', `resources may only hold ${paths.join(', ')}.`);
    if (format !== undefined && !Object.hasOwn(CONSOLE_FORMATS, format))
      wrong('format', `format must be one of ${Object.keys(CONSOLE_FORMATS).join(', ')}.`);
    if (filters && (resources.length > 1 || location))
      wrong(
        'filters',
        'filters are those of one resource: send one in resources, and no location.',
      );
  }) as ParamsOf<typeof body>;
  return {
    resources: known.filter(({ path }) => sent.resources.includes(path)),
    format: sent.format as ConsoleFormat,
    /** The query of the one resource's list; `undefined`: all of it, as of one moment. */
    filters: sent.filters ?? undefined,
    location: sent.location ?? undefined,
  };
}
