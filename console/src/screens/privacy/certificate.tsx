/** The certificate of a request as a page to print, and as the file that proves it. */

import { privacy as says, page as texts } from 'messages';
import type { ErasureCertificate } from '../../../../client/src/generated/objects.d.ts';
import { useLoad } from '../../load.ts';
import { Button } from '../../parts/button.tsx';
import { download } from '../../parts/download.ts';
import { Fact } from '../../parts/fact.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Loading } from '../../parts/loading.tsx';
import { resourceNamed } from '../../records/description.ts';
import { hrefOf } from '../../router.ts';
import type { OneProps } from '../../screen.ts';
import { api } from '../../service/api.ts';
import { session } from '../../service/session.ts';
import { dayOnPaper, paperTimeText } from '../../values/format.ts';
import { Pairs, placesOf, wasRead } from './proof.tsx';

const paper = says.certificate;

export function Certificate({ path, id }: OneProps): JSX.Element {
  const { value, error, reload } = useLoad(`certificate of ${id}`, (signal) =>
    api.erasures.certificate(id, { signal }),
  );
  if (value === undefined) return <Loading of={{ value, error, reload }} rows={8} />;
  const save = (): void => {
    const text = `${JSON.stringify(value, null, 2)}\n`;
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
        {paper.seal}: <code>{of.seal.whole}</code>, <code>{of.seal.key}</code>
      </p>
    </>
  );
}

/** What became of the files on disk. */
function filesOf({ files, rewritten_at: at }: ErasureCertificate): string {
  const kind = says.proof.kinds[files] ?? files;
  return at === null ? kind : `${kind}. ${says.proof.rewritten}: ${paperTimeText(at)}`;
}
