/** People who ask to be forgotten: all their requests, the certificate of one, or what was found for it and what becomes of it. */

import { privacy as says, page as texts } from 'messages';
import { useState } from 'preact/hooks';
import type { RunErasureParams } from '../../../../client/src/generated/objects.d.ts';
import * as bounds from '../../generated/bounds.ts';
import { useLoad } from '../../load.ts';
import { useActions } from '../../parts/actions.tsx';
import { Button } from '../../parts/button.tsx';
import { Radios } from '../../parts/choices.tsx';
import { Status } from '../../parts/fact.tsx';
import { Empty, Failure, Heading, Loading, Reload } from '../../parts/loading.tsx';
import { say } from '../../parts/notice.tsx';
import { usePolled } from '../../parts/polled.ts';
import { childrenOf, resourceNamed } from '../../records/description.ts';
import { hrefOf, query, setQuery } from '../../router.ts';
import type { OneProps, ScreenProps } from '../../screen.ts';
import { api } from '../../service/api.ts';
import { dayOnPaper } from '../../values/format.ts';
import { Matches } from './matches.tsx';
import { Certificate, Copy, copyOf } from './papers.tsx';
import { Notified, Proof } from './proof.tsx';
import { Due, nameOf, Requests } from './requests.tsx';

export function PrivacyScreen({ path, rest: [id = '', part] }: ScreenProps): JSX.Element {
  if (id === '') return <Requests path={path} />;
  return part === 'certificate' ? (
    <Certificate path={path} id={id} />
  ) : (
    <OneRequest path={path} id={id} />
  );
}

/** Between two looks at what is being erased. */
const LOOK_MS = 1_000;
/** How often the request is read while the service looks for more. */
const LOOKING_MS = 5_000;

/** In the address, so that Back leads from the copy to what was ticked. */
const COPY = 'copy';

type Keep = RunErasureParams['keep'];

function OneRequest({ path, id }: OneProps): JSX.Element {
  const { value, error, reload } = useLoad(`erasure ${id}`, (signal) =>
    api.erasures.retrieve(id, { signal }),
  );
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const [round, setRound] = useState(0);
  /** Held by this page alone, until it is left. */
  const [copied, setCopied] = useState<readonly string[]>();
  const { busy, fault, dialog, perform, ask } = useActions();
  const [erasing, setErasing] = useState(false);
  const isRunning = value?.status === 'running' || erasing;
  const isLooking = value?.looked === 'index' && value.status !== 'closed';
  usePolled(isRunning ? LOOK_MS : isLooking ? LOOKING_MS : undefined, reload);
  if (value === undefined) return <Loading of={{ value, error, reload }} rows={8} />;
  const { status, matches, records, left, erased } = value;
  if (copied !== undefined && query.value.has(COPY))
    return <Copy of={value} lines={copied} path={path} />;
  const changed = (text: string): void => {
    setRound(round + 1);
    say(text);
    reload();
  };
  const isSealing = matches.some(
    ({ record, resource }) => ticked.includes(record) && isSealed(resource),
  );
  /** For good: a word is typed first. Without records, only refused rows of imports go. */
  const erase = (): void =>
    ask({
      title: ticked.length === 0 ? says.rowsSure : says.eraseSure(ticked.length),
      submit: texts.record.erase,
      danger: true,
      begin: { keep: undefined as Keep, word: '' },
      fields: {
        keep: {
          label: says.whatGoes,
          own: ({ value: keep, onChange }) => (
            <>
              {ticked.length > 0 && (
                <Radios<Keep>
                  legend={says.whatGoes}
                  class="checks explained"
                  options={[
                    [undefined, says.whole, says.eraseHint],
                    ['current', says.past, says.pastHint],
                  ]}
                  value={keep}
                  onChoose={onChange}
                />
              )}
              {isSealing && keep === undefined && <p class="looking">{says.seals}</p>}
            </>
          ),
        },
        word: { label: texts.typeWord(says.word), word: says.word },
      },
      async send({ keep }) {
        setErasing(true);
        try {
          const done = await api.erasures.run(id, { records: ticked, ...(keep && { keep }) });
          return { done, keep };
        } finally {
          setErasing(false);
        }
      },
      onDone({ done, keep }) {
        setTicked([]);
        if (done.left.length > 0) changed(says.someLeft(done.left.length));
        else changed(keep === undefined ? says.done(done.erased) : says.pastDone(ticked.length));
      },
    });
  const close = (): void =>
    ask({
      title: says.closeSure,
      hint: says.closeHint,
      submit: says.close,
      bounds: bounds.close_erasure,
      begin: { basis: '' },
      fields: {
        basis: {
          label: says.basisLabel,
          placeholder: says.basisPlaceholder,
          of: 'lines',
          needed: true,
        },
      },
      send: ({ basis }) => api.erasures.close(id, basis),
      onDone: () => changed(says.closed),
    });
  const lift = (record: string): void =>
    ask({
      title: says.liftSure,
      hint: says.liftHint,
      submit: says.lift,
      send: () => api.erasures.lift(id, record),
      onDone: () => changed(says.lifted),
    });
  const copy = (): void =>
    void perform(
      () => copyOf(id, ticked),
      (lines) => {
        setCopied(lines);
        setQuery({ [COPY]: '' });
      },
    );
  return (
    <article class="privacy-request">
      <Heading
        title={nameOf(value)}
        way={<a href={hrefOf(path)}>{texts.nav.privacy}</a>}
        about={
          <>
            <Status of={status} words={says.statuses} />
            <span>{says.receivedOn(dayOnPaper(value.received_at))}</span>
            <Due of={value} />
          </>
        }
      >
        <Reload onReload={reload} />
        {(erased > 0 || status === 'closed') && (
          <a class="button" href={hrefOf(`${path}/${id}/certificate`)}>
            {says.certificate.open}
          </a>
        )}
        {status === 'ready' && <Button label={says.close} asks onClick={close} />}
      </Heading>
      {error !== undefined && <Failure error={error} onAgain={reload} />}
      {value.basis !== null && <p class="basis">{says.basis(value.basis)}</p>}
      {isRunning && (
        <p class="progress" role="status">
          <progress value={erased} max={Math.max(records.length, ticked.length)} />
          {says.progress({ erased, all: Math.max(records.length, ticked.length) })}
        </p>
      )}
      {isLooking && (
        <p class="looking" role="status">
          {says.looking}
        </p>
      )}
      {value.looked === 'too_many' && <p class="fault">{says.lookedTooMany}</p>}
      {value.refused_rows > 0 && <p class="looking">{says.refusedRows(value.refused_rows)}</p>}
      {value.named_in.length > 0 && (
        <p class="looking">{says.namedIn(value.named_in.join(', '))}</p>
      )}
      {matches.length === 0 && value.refused_rows === 0 ? (
        !isLooking && <Empty title={says.nothing} hint={`${says.how} ${says.nothingHint}`} />
      ) : (
        <Matches
          of={value}
          round={round}
          left={new Map(left.map(({ record, code }) => [record, code]))}
          ticked={ticked}
          onTick={setTicked}
          onErase={erase}
          onCopy={copy}
          isBusy={busy}
          onLift={lift}
        />
      )}
      <Proof of={value} />
      <Notified of={value} />
      {fault}
      {dialog}
    </article>
  );
}

/** A service, which stays for what belongs to it. A location with anything below it is left as a whole. */
function isSealed(name: string): boolean {
  const resource = resourceNamed(name);
  return resource !== undefined && resource.anchor !== true && childrenOf(resource).length > 0;
}
