/** The options of an export, as the console sends them. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Faults } from '../../../core/errors.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { CONSOLE_FORMATS, type ConsoleFormat } from '../../../services/export/formats.ts';
import { readFields } from '../fields.ts';

export interface AskedExport {
  readonly resources: readonly Resource[];
  readonly format: ConsoleFormat;
  /** The query of the one resource's list; `undefined`: all of it, as of one moment. */
  readonly filters: string | undefined;
  /** Only what belongs to this location. */
  readonly location: string | undefined;
}

/** Throws with every fault. Resources come in the order of the registry: parents before what belongs to them. */
export async function readAskedExport(
  request: FastifyRequest,
  reply: FastifyReply,
  known: readonly Resource[],
): Promise<AskedExport> {
  const sent = await readFields(request, reply, {
    resources: 'texts',
    format: 'text',
    filters: 'text?',
    location: 'text?',
  });
  const faults = new Faults();
  const resources = known.filter(({ path }) => sent.resources.includes(path));
  if (resources.length === 0 || resources.length < new Set(sent.resources).size)
    faults.add(
      'resources',
      'value_invalid',
      `resources may only hold ${known.map(({ path }) => path).join(', ')}.`,
    );
  if (!Object.hasOwn(CONSOLE_FORMATS, sent.format))
    faults.add(
      'format',
      'value_invalid',
      `format must be one of ${Object.keys(CONSOLE_FORMATS).join(', ')}.`,
    );
  if (sent.filters !== undefined && (resources.length > 1 || sent.location !== undefined))
    faults.add(
      'filters',
      'value_invalid',
      'filters are those of one resource: send one in resources, and no location.',
    );
  faults.throwIfAny();
  const { filters, location } = sent;
  return { resources, format: sent.format as ConsoleFormat, filters, location };
}
