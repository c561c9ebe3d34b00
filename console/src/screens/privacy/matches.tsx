/** The records that were found of a person: who each of them is, by what it was found, and whether it is to be erased. */
import { privacy as says } from 'messages';
import { useState } from 'preact/hooks';
import type { Erasure } from '../../../../client/src/generated/objects.d.ts';
import { featureKeepers } from '../../features/officers.ts';
import type { Keeper } from '../../features/spots.ts';
import { useLoad, useRecord } from '../../load.ts';
import { locale } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/loading.tsx';
import { type DescribedResource, fieldOf, resourceNamed } from '../../records/description.ts';
import { detailsOf, valuesOf } from '../../records/details.ts';
import { titleOf } from '../../records/records.ts';
import { hrefOf } from '../../router.ts';
import { type Change, isRefusal, recordsOf } from '../../service/api.ts';
import { hasRight } from '../../service/session.ts';
import { isSimilar } from './requests.tsx';

type Match = Erasure['matches'][number];

/** Each of them is read by itself. */
const PAGE = 20;

/** Found by what the person named. */
const NAMED = 'named';

const list = new Intl.ListFormat(locale, { type: 'conjunction' });

interface MatchesProps {
  readonly of: Erasure;
  /** How often something was done: what is shown is read again. */
  readonly round: number;
  readonly left: ReadonlyMap<string, string>;
  readonly ticked: readonly string[];
  readonly onTick: (records: readonly string[]) => void;
  readonly onErase: () => void;
  readonly onCopy: () => void;
  readonly isBusy: boolean;
  readonly onLift: (record: string) => void;
}

export function Matches(props: MatchesProps): JSX.Element {
  const { of, left, ticked, onTick, onErase, onCopy, isBusy } = props;
  const [count, setCount] = useState(PAGE);
  const { matches, records, status } = of;
  const past = new Set(of.past_only.filter((record) => !left.has(record)));
  const chosen = new Set(records.filter((record) => !past.has(record)));
  /** Once erased, nothing more is chosen of it. */
  const isChosen = ({ record }: Match): boolean => chosen.has(record) && !left.has(record);
  const free = matches.filter((match) => !isChosen(match));
  // Each of the others may be another person.
  const sure = free.filter((match) => !isSimilar(match));
  /** Refused rows go also without a record. */
  const hasRows = of.refused_rows > 0;
  const mayChoose = ['ready', 'waiting', 'done'].includes(status) && (free.length > 0 || hasRows);
  const rest = matches.length - count;
  return (
    <section class="matches">
      <header>
        <h2>{mayChoose ? says.choose : says.found}</h2>
        {mayChoose && (
          <p class="hint">
            {says.chooseHint} {says.how}
          </p>
        )}
      </header>
      <ul>
        {matches.slice(0, count).map((match) => (
          <OneMatch
            key={`${match.record} ${props.round}`}
            match={match}
            code={left.get(match.record)}
            isErased={isChosen(match) && status !== 'running'}
            isPast={past.has(match.record) && status !== 'running'}
            ticked={!mayChoose || isChosen(match) ? undefined : ticked.includes(match.record)}
            onTick={(isTicked) =>
              onTick(
                isTicked ? [...ticked, match.record] : ticked.filter((one) => one !== match.record),
              )
            }
            onLift={() => props.onLift(match.record)}
          />
        ))}
      </ul>
      {rest > 0 && (
        <Button
          class="plain"
          label={says.showMore(Math.min(PAGE, rest))}
          onClick={() => setCount(count + PAGE)}
        />
      )}
      {mayChoose && (
        <footer>
          <Button
            class="plain"
            label={ticked.length >= sure.length ? says.chooseNone : says.chooseAll(sure.length)}
            disabled={sure.length + ticked.length === 0}
            onClick={() =>
              onTick(ticked.length >= sure.length ? [] : sure.map(({ record }) => record))
            }
          />
          <span class="quiet" role="status">
            {ticked.length > 0 && says.chosen(ticked.length)}
          </span>
          <Button
            label={says.copy.make}
            disabled={ticked.length === 0 || isBusy}
            onClick={onCopy}
          />
          <Button
            class="danger"
            label={says.erase(ticked.length)}
            disabled={ticked.length === 0 && !hasRows}
            onClick={onErase}
          />
        </footer>
      )}
    </section>
  );
}

interface OneMatchProps {
  readonly match: Match;
  /** Why it was not erased. */
  readonly code: string | undefined;
  readonly isErased: boolean;
  /** Only what it held before is erased. */
  readonly isPast: boolean;
  /** `undefined`: there is nothing to choose. */
  readonly ticked: boolean | undefined;
  readonly onTick: (isTicked: boolean) => void;
  readonly onLift: () => void;
}

function OneMatch(props: OneMatchProps): JSX.Element {
  const { code, isErased, isPast, ticked, onTick, onLift } = props;
  const { record, resource: name, reasons, held_by } = props.match;
  const resource = resourceNamed(name);
  const path = `${resource?.path}/${record}`;
  const { value, error, reload } = useRecord(resource, record);
  const isGone = isRefusal(error) && (error.status === 404 || error.status === 410);
  const isRemoved = isGone && error.status === 404 && !isErased;
  /** What its last change took away says who it was. */
  const { value: last, error: none } = useLoad(
    isRemoved ? `${path} before it was removed` : undefined,
    (signal) =>
      recordsOf(resource?.path ?? '')
        .history(record, { limit: 1 }, { signal })
        .page(),
  );
  const kind = resource?.singular ?? name;
  const about =
    value === undefined || resource === undefined
      ? []
      : [...valuesOf(resource, value).map(({ text }) => text), ...detailsOf(resource, value)];
  const others = reasons.filter((one) => one !== NAMED).map((one) => says.reasons[one] ?? one);
  const found = [
    ...(others.length === 0 ? [] : [says.foundBy(list.format(others))]),
    ...(reasons.includes(NAMED) ? [says.named] : []),
  ];
  const keeper = featureKeepers.find(({ prefix }) => held_by?.startsWith(prefix));
  const mayLook = keeper !== undefined && hasRight(keeper.right);
  const why = whyOf(code, keeper);
  const body = (
    <span class="who">
      <strong>
        {resource === undefined
          ? kind
          : value === undefined
            ? (titleBefore(resource, last?.data[0]) ?? kind)
            : titleOf(resource, value)}
      </strong>
      {(value !== undefined || last !== undefined) && <small>{[kind, ...about].join(' · ')}</small>}
      <small class="quiet">{found.join(' · ')}</small>
      {why !== undefined && (
        <small class="why">
          {why} {!mayLook && held_by !== undefined && <code>{held_by}</code>}
        </small>
      )}
      {error !== undefined && !isGone && <Failure error={error} onAgain={reload} />}
    </span>
  );
  return (
    <li class={isErased ? 'erased' : ''}>
      {ticked === undefined ? (
        body
      ) : (
        <label>
          <input
            type="checkbox"
            checked={ticked}
            onChange={({ currentTarget }) => onTick(currentTarget.checked)}
          />
          {body}
        </label>
      )}
      <span class="acts">
        {isPast && !isGone && <span class="status">{says.states.past}</span>}
        {isGone && <span class="status">{stateOf(error.status, isErased || isRefusal(none))}</span>}
        {isErased && isGone && error.status === 410 && (
          <Button class="plain" label={says.lift} asks onClick={onLift} />
        )}
        {mayLook && <a href={keeper.hrefOf(held_by ?? '', record)}>{keeper.name}</a>}
        {(value !== undefined || isRemoved) && (
          <a href={hrefOf(path)} target="_blank" rel="noopener">
            {says.openRecord}
          </a>
        )}
      </span>
    </li>
  );
}

function whyOf(code: string | undefined, keeper: Keeper | undefined): string | undefined {
  if (code === undefined || keeper?.isFirm) return keeper?.why;
  return says.left[code] ?? says.leftOther;
}

function titleBefore(resource: DescribedResource, removal: Change | undefined): string | undefined {
  return resource.title
    .map((param) => fieldOf(resource, param)?.at.join('.'))
    .map((member) => removal?.changes?.find((one) => one.member === member)?.before)
    .find((before) => typeof before === 'string' && before !== '') as string | undefined;
}

/** A record that may be sent again is missing, no longer erased, and has no history. */
function stateOf(status: number | undefined, isErased: boolean): string {
  if (status === 410) return says.states.erased;
  return isErased ? says.states.gone : says.states.removed;
}
