/** What a request leaves on paper and in a file: its certificate, and the copy for the person. */

import { privacy as says, page as texts } from 'messages';
import type { Erasure, ErasureCertificate } from '../../../../client/src/generated/objects.d.ts';
import { parseJson, toJson } from '../../../../client/src/json.ts';
import { useLoad } from '../../load.ts';
import { Button } from '../../parts/button.tsx';
import { download } from '../../parts/download.ts';
import { Fact } from '../../parts/fact.tsx';
import { Heading, Loading } from '../../parts/loading.tsx';
import { zoneOfRecord } from '../../places/homes.ts';
import { type DescribedResource, resourceNamed } from '../../records/description.ts';
import { type Shown, titleOf, valueIn } from '../../records/records.ts';
import { hrefOf } from '../../router.ts';
import type { OneProps } from '../../screen.ts';
import { api, type Change, textOf } from '../../service/api.ts';
import { session } from '../../service/session.ts';
import { dayOnPaper, labelled, paperTimeText } from '../../values/format.ts';
import { currencyBeside, Time, wordsOf } from '../../values/value.tsx';
import { BecameList, becameBy } from '../record/became.tsx';
import { Pairs, placesOf, wasRead } from './proof.tsx';
import { nameOf } from './requests.tsx';

const paper = says.certificate;

export function Certificate({ path, id }: OneProps): JSX.Element {
  const { value, error, reload } = useLoad(`certificate of ${id}`, (signal) =>
    api.erasures.certificate(id, { signal }),
  );
  if (value === undefined) return <Loading of={{ value, error, reload }} rows={8} />;
  const save = (): void => {
    const text = `${toJson(value, 2)}\n`;
    download(new Blob([text], { type: 'application/json' }), `${id}.certificate.json`);
  };
  return (
    <article class="certificate">
      <Heading
        title={paper.title}
        about={value.reference ?? undefined}
        way={<a href={hrefOf(`${path}/${id}`)}>{says.request}</a>}
      >
        <Button label={paper.file} icon="download" onClick={save} />
        <Button class="main" label={texts.list.print} icon="print" onClick={() => print()} />
      </Heading>
      <Content of={value} />
    </article>
  );
}

function Content({ of }: { readonly of: ErasureCertificate }): JSX.Element {
  const account = session.value?.accounts.find((one) => one.unique_identifier === of.account);
  const nameOf = (name: string, count: number): string => {
    const resource = resourceNamed(name);
    return (count === 1 ? resource?.singular : resource?.plural) ?? name;
  };
  return (
    <>
      <dl>
        <Fact label={paper.of}>{account?.name ?? of.account}</Fact>
        <Fact label={says.request}>
          <code>{of.erasure}</code>
        </Fact>
        <Fact label={says.received}>{dayOnPaper(of.received_at)}</Fact>
        <Fact label={says.due}>{dayOnPaper(of.due_at)}</Fact>
        <Fact label={texts.status}>{says.statuses[of.status] ?? of.status}</Fact>
        {of.basis !== null && <Fact label={says.basisLabel}>{of.basis}</Fact>}
      </dl>
      {of.records.length === 0 && (
        <>
          <h2>{paper.records}</h2>
          <p>{paper.noRecords}</p>
        </>
      )}
      <Pairs
        title={paper.records}
        all={of.records.map(({ resource, count, last_at }) => [
          nameOf(resource, count),
          <strong key="count">{count}</strong>,
          paper.on(paperTimeText(last_at)),
        ])}
      />
      {of.records.length > 0 && <p class="hint">{paper.whatWent}</p>}
      <Pairs
        title={paper.left}
        all={of.left.map(({ record, code }) => [
          <code key="record">{record}</code>,
          says.left[code] ?? code,
        ])}
      />
      {wasRead(of) && (
        <Pairs title={says.proof.title} all={[...placesOf(of), [says.proof.files, filesOf(of)]]} />
      )}
      <Pairs
        title={says.notified.title}
        all={of.consumers.map(({ consumer, status, told_at }) => [
          <code key="consumer">{consumer}</code>,
          [says.notified.statuses[status] ?? status, told_at && `, ${paperTimeText(told_at)}`],
        ])}
        beyond={of.consumers_count - of.consumers.length}
      />
      {of.image_hosts.length > 0 && (
        <>
          <h2>{paper.images}</h2>
          <p>{of.image_hosts.join(', ')}</p>
        </>
      )}
      <Pairs
        title={paper.backups}
        all={of.backups.map(({ what, until }) => [
          paper.kinds[what] ?? what,
          until === null ? paper.kept : paper.until(dayOnPaper(until)),
        ])}
      />
      {of.records.length > 0 && (
        <>
          <h2>{paper.beyond}</h2>
          <ul class="beyond">
            {of.out_of_reach_codes.map((code, at) => (
              <li key={code}>{paper.outOfReach[code] ?? of.out_of_reach[at]}</li>
            ))}
          </ul>
        </>
      )}
      <p class="hint seal">
        {paper.issued(paperTimeText(of.issued_at))}
        <br />
        {labelled(paper.seal)} <code>{of.seal.whole}</code>, <code>{of.seal.key}</code>
      </p>
    </>
  );
}

function filesOf({ files, rewritten_at: at }: ErasureCertificate): string {
  const kind = says.proof.kinds[files] ?? files;
  return at === null ? kind : `${kind}. ${labelled(says.proof.rewritten, paperTimeText(at))}`;
}

interface Line {
  readonly resource: string;
  readonly record: string;
  /** What it holds; `null` where it was removed. The lines after it are its changes. */
  readonly data?: Shown | null;
  readonly change?: Change;
  readonly about?: object;
}

/** The lines of these records alone, as they were sent: others may be about somebody else. */
export async function copyOf(id: string, records: readonly string[]): Promise<readonly string[]> {
  const all = (await textOf(`/v1/erasures/${id}/copy`)).split('\n');
  return all.filter((line) => line !== '' && records.includes((parseJson(line) as Line).record));
}

/** What the ticked records hold, and held: for the person, and as a file for programs. */
export function Copy(props: {
  readonly of: Erasure;
  readonly lines: readonly string[];
  readonly path: string;
}): JSX.Element {
  const { of, lines, path } = props;
  const { unique_identifier: id } = of;
  const all = lines.map((line) => parseJson(line) as Line);
  const save = (): void => {
    const file = new Blob([`${lines.join('\n')}\n`], { type: 'application/x-ndjson' });
    download(file, `${id}.copy.ndjson`);
  };
  return (
    <article class="certificate">
      <Heading
        title={says.copy.title}
        about={nameOf(of)}
        way={<a href={hrefOf(`${path}/${id}`)}>{says.request}</a>}
      >
        <Button label={says.copy.file} icon="download" onClick={save} />
        <Button class="main" label={texts.list.print} icon="print" onClick={() => print()} />
      </Heading>
      <p class="hint unprinted">{says.copy.hint}</p>
      {all
        .filter(({ data }) => data !== undefined)
        .map(({ resource, record, data }) => (
          <One
            key={record}
            resource={resourceNamed(resource)}
            record={data ?? undefined}
            changes={all.flatMap((one) => (one.record === record ? (one.change ?? []) : []))}
            notes={all.flatMap((one) => (one.record === record ? notesIn(one.about) : []))}
          />
        ))}
    </article>
  );
}

function One(props: {
  readonly resource: DescribedResource | undefined;
  readonly record: Shown | undefined;
  readonly changes: readonly Change[];
  readonly notes: readonly Note[];
}): JSX.Element | null {
  const { resource, record, changes, notes } = props;
  if (resource === undefined) return null;
  const words = record === undefined ? [] : wordsIn(resource, record);
  // What was never changed is what it holds.
  const isListed = record === undefined || changes.length > 1;
  return (
    <section>
      <h2>
        {labelled(
          resource.singular,
          record === undefined ? says.states.removed : titleOf(resource, record),
        )}
      </h2>
      <dl>
        {words.map(([label, words]) => (
          <Fact key={label} label={label}>
            {words}
          </Fact>
        ))}
      </dl>
      {notes.map(({ at, note }) => (
        <div key={`${at} ${note}`} class="then">
          <h3>
            {says.copy.noted}, <Time at={at} />
          </h3>
          <p>{note}</p>
        </div>
      ))}
      {changes.map((change) => {
        const became = becameBy(resource, record, change.changes ?? []);
        if (became.length === 0) return null;
        return (
          <div key={change.unique_identifier} class="then">
            <h3>
              {says.copy.outcomes[change.outcome] ?? change.outcome},{' '}
              <Time at={change.occurred_at} />
            </h3>
            {isListed && <BecameList all={became} single={change.outcome !== 'updated'} />}
          </div>
        );
      })}
    </section>
  );
}

interface Note {
  readonly at: string;
  readonly note: string;
}

/** Notes of people within one of our own objects, each with its time. */
function notesIn(value: unknown, at = ''): readonly Note[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one) => notesIn(one, at));
  const one = value as Readonly<Record<string, unknown>>;
  const time = String(one.at ?? one.updated_at ?? at);
  const own = typeof one.note === 'string' ? [{ at: time, note: one.note }] : [];
  return [...own, ...Object.values(one).flatMap((inner) => notesIn(inner, time))];
}

/** Every value that people can read, with what it is. */
function wordsIn(resource: DescribedResource, record: Shown) {
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
