/** The certificate of a request as a page to print, and as the file that proves it. */
import { privacy as says, page as texts } from 'messages';
import type { ErasureCertificate } from '../../../../client/src/generated/objects.d.ts';
import { useLoad } from '../../load.ts';
import { download } from '../../parts/download.ts';
import { Fact } from '../../parts/fact.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loading } from '../../parts/loading.tsx';
import { resourceNamed } from '../../records/description.ts';
import { hrefOf } from '../../router.ts';
import type { OneProps } from '../../screen.ts';
import { api } from '../../service/api.ts';
import { session } from '../../service/session.ts';
import { dayOnPaper, paperTimeText } from '../../values/format.ts';
import { Places, wasRead } from './proof.tsx';

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
        <button type="button" onClick={save}>
          <Icon name="download" />
          {paper.file}
        </button>
        <button type="button" class="main" onClick={() => print()}>
          <Icon name="print" />
          {texts.list.print}
        </button>
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
      <h2>{paper.records}</h2>
      {of.records.length === 0 ? (
        <p>{paper.noRecords}</p>
      ) : (
        <ul>
          {of.records.map(({ resource, count, last_at }) => (
            <li key={resource}>
              <span>{nameOf(resource, count)}</span>
              <strong>{count}</strong>
              <span>{paper.on(paperTimeText(last_at))}</span>
            </li>
          ))}
        </ul>
      )}
      {of.records.length > 0 && <p class="hint">{paper.whatWent}</p>}
      {of.left.length > 0 && (
        <>
          <h2>{paper.left}</h2>
          <ul>
            {of.left.map(({ record, code }) => (
              <li key={record}>
                <code>{record}</code>
                <span>{says.left[code] ?? code}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {wasRead(of) && (
        <>
          <h2>{says.proof.title}</h2>
          <Places of={of}>
            <li>
              <span>{says.proof.files}</span>
              <span>
                {says.proof.kinds[of.files] ?? of.files}
                {of.rewritten_at !== null && (
                  <>
                    . {says.proof.rewritten}: {paperTimeText(of.rewritten_at)}
                  </>
                )}
              </span>
            </li>
          </Places>
        </>
      )}
      {of.consumers.length > 0 && (
        <>
          <h2>{says.told.title}</h2>
          <ul>
            {of.consumers.map(({ consumer, status, told_at }) => (
              <li key={consumer}>
                <code>{consumer}</code>
                <span>
                  {says.told.statuses[status] ?? status}
                  {told_at !== null && <>, {paperTimeText(told_at)}</>}
                </span>
              </li>
            ))}
          </ul>
          {of.consumers_count > of.consumers.length && (
            <p>{says.more(of.consumers_count - of.consumers.length)}</p>
          )}
        </>
      )}
      {of.image_hosts.length > 0 && (
        <>
          <h2>{paper.images}</h2>
          <p>{of.image_hosts.join(', ')}</p>
        </>
      )}
      {of.backups.length > 0 && (
        <>
          <h2>{paper.backups}</h2>
          <ul>
            {of.backups.map(({ what, until }) => (
              <li key={what + until}>
                <span>{paper.kinds[what] ?? what}</span>
                <span>{until === null ? paper.kept : paper.until(dayOnPaper(until))}</span>
              </li>
            ))}
          </ul>
        </>
      )}
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
      <p class="seal">
        {paper.issued(paperTimeText(of.issued_at))}
        <br />
        {paper.seal}: <code>{of.seal.whole}</code>, <code>{of.seal.key}</code>
      </p>
    </>
  );
}
