/** Removes a record, after a dry run has shown what is removed with it. */
import { record, page as texts } from 'messages';
import { answerOf } from '../../../../client/src/answer.ts';
import { FormDialog } from '../../parts/form.tsx';
import { belowOf, type DescribedResource, filterBy } from '../../records/description.ts';
import { type OfRecord, titleOf } from '../../records/records.ts';
import { etagOf, listed, recordsOf } from '../../service/api.ts';

const says = record.removal;
/** More are not distinguished. */
const MAX_COUNTED = 100;

interface RemovalProps extends OfRecord {
  readonly onClose: () => void;
  /** `removal`: what undoes it, where something does. */
  readonly onRemoved: (done: {
    readonly count: number;
    readonly removal: string | undefined;
  }) => void;
}

export function Removal({ resource, record, onClose, onRemoved }: RemovalProps): JSX.Element {
  const id = record.unique_identifier;
  return (
    <FormDialog
      title={says.title(titleOf(resource, record))}
      rehearsal={{
        of: `removal of ${id}`,
        load: (signal) => goesWith(resource, id, signal),
        says: ({ all, below }) =>
          below.length === 0 ? (
            <p>{says.alone}</p>
          ) : (
            <>
              <p>{says.goesWith}</p>
              <ul>
                {below.map(({ child, count, more }) => (
                  <li key={child.name}>
                    {says.entry({
                      count,
                      more,
                      one: child.singular.toLowerCase(),
                      many: child.plural.toLowerCase(),
                    })}
                  </li>
                ))}
              </ul>
              {all !== undefined && <p>{says.all(all)}</p>}
            </>
          ),
      }}
      hint={<p class="hint">{says.back}</p>}
      submit={texts.record.remove}
      danger
      send={async () => {
        const ifMatch = etagOf(record);
        return answerOf(await recordsOf(resource.path).remove(id, { cascade: true, ifMatch }));
      }}
      onDone={(answer) => onRemoved({ count: answer?.removed ?? 1, removal: answer?.removal })}
      onClose={onClose}
    />
  );
}

async function goesWith(resource: DescribedResource, id: string, signal: AbortSignal) {
  const answer = await recordsOf(resource.path).remove(id, { cascade: true, dryRun: true });
  const below = await Promise.all(
    belowOf(resource).map(async (child) => {
      const filter = filterBy(child, resource.name) ?? '';
      const params = { [filter]: id, limit: MAX_COUNTED };
      const { data, has_more } = await listed(child.path, params, signal);
      return { child, count: data.length, more: has_more };
    }),
  );
  return { all: answerOf(answer)?.removed, below: below.filter(({ count }) => count > 0) };
}
