/** Removes a record, after a dry run has shown what is removed with it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { answerOf } from '../../../../client/src/answer.ts';
import { useLoad } from '../../load.ts';
import { Decide } from '../../parts/decide.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure, sentenceOf } from '../../parts/failure.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { belowOf, type DescribedResource, filterBy } from '../../records/description.ts';
import { type Shown, titleOf } from '../../records/records.ts';
import { etagOf, recordsOf } from '../../service/api.ts';
import { signedInFor } from '../../service/session.ts';
import { says as record } from './texts.ts';

const says = record.removal;
/** More are not distinguished. */
const MAX_COUNTED = 100;

interface RemovalProps {
  readonly resource: DescribedResource;
  readonly record: Shown;
  readonly onClose: () => void;
  /** `removal`: what undoes it, where something does. */
  readonly onRemoved: (done: {
    readonly count: number;
    readonly removal: string | undefined;
  }) => void;
}

export function Removal({ resource, record, onClose, onRemoved }: RemovalProps): JSX.Element {
  const id = record.unique_identifier;
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const rehearsal = useLoad(`removal of ${id}`, async (signal) => {
    const answer = await recordsOf(resource.path).remove(id, { cascade: true, dryRun: true });
    const below = await Promise.all(
      belowOf(resource).map(async (child) => {
        const filter = filterBy(child, resource.name) ?? '';
        const params = { [filter]: id, limit: MAX_COUNTED };
        const { data, has_more } = await recordsOf(child.path).list(params, { signal }).page();
        return { child, count: data.length, more: has_more };
      }),
    );
    return { all: answerOf(answer)?.removed, below: below.filter(({ count }) => count > 0) };
  });
  const remove = async (): Promise<void> => {
    setBusy(true);
    try {
      const ifMatch = etagOf(record);
      const answer = answerOf(
        await signedInFor(() => recordsOf(resource.path).remove(id, { cascade: true, ifMatch })),
      );
      onRemoved({ count: answer?.removed ?? 1, removal: answer?.removal });
    } catch (error) {
      setFault(sentenceOf(error));
      setBusy(false);
    }
  };
  const { value, error } = rehearsal;
  return (
    <Dialog title={says.title(titleOf(resource, record))} onClose={onClose}>
      {error !== undefined && <Failure error={error} onAgain={rehearsal.reload} />}
      {value === undefined && error === undefined && <Skeleton rows={2} />}
      {value !== undefined &&
        (value.below.length === 0 ? (
          <p>{says.alone}</p>
        ) : (
          <>
            <p>{says.goesWith}</p>
            <ul>
              {value.below.map(({ child, count, more }) => (
                <li key={child.name}>
                  {says.entry(
                    count,
                    more,
                    child.singular.toLowerCase(),
                    child.plural.toLowerCase(),
                  )}
                </li>
              ))}
            </ul>
            {value.all !== undefined && <p>{says.all(value.all)}</p>}
          </>
        ))}
      <p class="hint">{says.back}</p>
      <Fault says={fault} />
      <Decide
        submit={says.submit}
        danger
        disabled={busy || value === undefined}
        onSubmit={() => void remove()}
      />
    </Dialog>
  );
}
