/** Messages for members of responses that requests do not take: callers send back records that they have read. */
import type { BodyReading } from '../fields/kind.ts';
import { perResource } from './per-resource.ts';

const OURS = ['object', 'unique_identifier', 'inserted_at', 'updated_at'];

export const responseOnlyMessage = perResource(
  ({ public_data }): NonNullable<BodyReading['elsewhere']> => {
    const names = Object.keys(public_data ?? {});
    const grouped =
      names.length === 0
        ? 'it holds nothing that you send. Leave it out.'
        : `answers group these members in public_data. Send them by themselves: ${names.join(', ')}.`;
    return (at) => {
      if (at === 'public_data') return grouped;
      if (!OURS.includes(at)) return undefined;
      return `${OURS.slice(0, -1).join(', ')} and ${OURS.at(-1)} are set by the service. Leave them out.`;
    };
  },
);
