/** What the ticked records hold, and held: a page to print for the person, and a file for programs. */

import { privacy as says, page as texts } from 'messages';
import type { Erasure } from '../../../../client/src/generated/objects.d.ts';
import { Button } from '../../parts/button.tsx';
import { download } from '../../parts/download.ts';
import { Fact } from '../../parts/fact.tsx';
import { Heading } from '../../parts/heading.tsx';
import { zoneOfRecord } from '../../places/homes.ts';
import { type DescribedResource, resourceNamed } from '../../records/description.ts';
import { type Shown, titleOf, valueIn } from '../../records/records.ts';
import { hrefOf } from '../../router.ts';
import { type Change, textOf } from '../../service/api.ts';
import { currencyBeside, Time, wordsOf } from '../../values/value.tsx';
import { BecameList, becameBy } from '../record/became.tsx';
import { nameOf } from './requests.tsx';

const paper = says.copy;

interface Line {
  readonly resource: string;
  readonly record: string;
  /** What it holds; `null` where it was removed. The lines after it are its changes. */
  readonly data?: Shown | null;
  readonly change?: Change;
}

/** The lines of these records alone, as they were sent: others may be about somebody else. */
export async function copyOf(id: string, records: readonly string[]): Promise<readonly string[]> {
  const all = (await textOf(`/v1/erasures/${id}/copy`)).split('\n');
  return all.filter((line) => line !== '' && records.includes((JSON.parse(line) as Line).record));
}

export function Copy(props: {
  readonly of: Erasure;
  readonly lines: readonly string[];
  readonly path: string;
}): JSX.Element {
  const { of, lines, path } = props;
  const { unique_identifier: id } = of;
  const all = lines.map((line) => JSON.parse(line) as Line);
  const save = (): void => {
    const file = new Blob([`${lines.join('\n')}\n`], { type: 'application/x-ndjson' });
    download(file, `${id}.copy.ndjson`);
  };
  return (
    <article class="certificate">
      <Heading
        title={paper.title}
        about={nameOf(of)}
        way={<a href={hrefOf(`${path}/${id}`)}>{says.request}</a>}
      >
        <Button label={paper.file} icon="download" onClick={save} />
        <Button class="main" label={texts.list.print} icon="print" onClick={() => print()} />
      </Heading>
      <p class="hint unprinted">{paper.hint}</p>
      {all
        .filter(({ data }) => data !== undefined)
        .map(({ resource, record, data }) => (
          <One
            key={record}
            resource={resourceNamed(resource)}
            record={data ?? undefined}
            changes={all.flatMap((one) => (one.record === record ? (one.change ?? []) : []))}
          />
        ))}
    </article>
  );
}

function One(props: {
  readonly resource: DescribedResource | undefined;
  readonly record: Shown | undefined;
  readonly changes: readonly Change[];
}): JSX.Element | null {
  const { resource, record, changes } = props;
  if (resource === undefined) return null;
  const held = record === undefined ? [] : wordsIn(resource, record);
  // What was never changed is what it holds.
  const isListed = record === undefined || changes.length > 1;
  return (
    <section>
      <h2>
        {resource.singular}
        {record === undefined ? `: ${says.states.removed}` : `: ${titleOf(resource, record)}`}
      </h2>
      <dl>
        {held.map(([label, words]) => (
          <Fact key={label} label={label}>
            {words}
          </Fact>
        ))}
      </dl>
      {changes.map((change) => {
        const became = becameBy(resource, record, change.changes ?? []);
        if (became.length === 0) return null;
        return (
          <div key={change.unique_identifier} class="then">
            <h3>
              {paper.outcomes[change.outcome] ?? change.outcome}, <Time at={change.occurred_at} />
            </h3>
            {isListed && <BecameList all={became} single={change.outcome !== 'updated'} />}
          </div>
        );
      })}
    </section>
  );
}

/** Every value that people can read, with what it is. */
function wordsIn(
  resource: DescribedResource,
  record: Shown,
): readonly (readonly [label: string, words: string])[] {
  const { external_identifier: identifier } = record;
  const zone = zoneOfRecord(record);
  const values = resource.fields.map((field) => {
    const beside = { currency: currencyBeside(resource, record, field), zone };
    return [field.label, wordsOf(valueIn(resource, record, field), field, beside)] as const;
  });
  return [...values, [texts.record.identifier, identifier ?? ''] as const].filter(
    ([, words]) => words !== '',
  );
}
