/** One record: its fields, what it belongs to, what belongs to it, and its history. */
import { page as texts } from 'messages';
import { useEffect, useState } from 'preact/hooks';
import { featureEntries } from '../../features/entries.ts';
import { Features } from '../../features/features.tsx';
import { onKeys, onMoveKeys } from '../../frame/shortcuts.ts';
import { useRecord } from '../../load.ts';
import { Button, Step } from '../../parts/button.tsx';
import { Failure, Heading, Skeleton } from '../../parts/loading.tsx';
import { ActMenu } from '../../parts/menu.tsx';
import { say } from '../../parts/notice.tsx';
import { aboveOf, childrenOf, resourceNamed, saidOf } from '../../records/description.ts';
import {
  type ById,
  caseOf,
  type OfRecord,
  parentOf,
  subtitleOf,
  titleOf,
} from '../../records/records.ts';
import { said } from '../../records/said.tsx';
import { go, hrefOf, query, useRestored } from '../../router.ts';
import { isRefusal } from '../../service/api.ts';
import { hasRight, may, session } from '../../service/session.ts';
import { Edit } from '../edit/edit.tsx';
import { besides } from '../list/walk.ts';
import { Gone, undoRemoval } from '../removed/removed.tsx';
import { Children } from './children.tsx';
import { Fields } from './fields.tsx';
import { Changed, History, Lastly } from './history.tsx';
import { Identifiers } from './identifiers.tsx';
import { Images } from './images.tsx';
import { Curl, JsonText } from './machine.tsx';
import { Pins } from './pins.tsx';
import { Removal } from './removal.tsx';
import { SettingsOf } from './settings.tsx';

const says = texts.record;
const TABS = ['fields', 'history'] as const;
const PROGRAMS = ['json', 'curl'] as const;
type Tab = (typeof TABS | typeof PROGRAMS)[number];

/** What programs send and are sent is for those who give them keys: in the menu, out of the way of families. */
function mayProgram(): boolean {
  return session.value?.may_administer === true;
}

export function RecordScreen({ resource, id }: ById): JSX.Element {
  const { value, error, busy, reload } = useRecord(resource, id);
  useRestored(value);
  useEffect(() => {
    const { previous, next } = besides(resource.path, id);
    return onMoveKeys({
      p: () => goTo(resource.path, previous),
      n: () => goTo(resource.path, next),
    });
  }, [resource.path, id]);

  const tab =
    [...TABS, ...(mayProgram() ? PROGRAMS : [])].find((one) => one === query.value.get('tab')) ??
    'fields';
  // It may have been removed since it was looked at.
  if (isRefusal(error) && error.status === 404)
    return <Gone resource={resource} id={id} onRestored={reload} />;
  if (value === undefined) {
    if (error === undefined) return <Skeleton rows={10} />;
    return <Failure error={error} onAgain={reload} />;
  }
  const of = { resource, record: value };
  const isOwn = resource.parent !== undefined;
  return (
    <article aria-busy={busy}>
      <Head {...of} tab={tab} onChanged={reload} />
      {isOwn && <Changed {...of} onShow={reload} />}
      {error !== undefined && <Failure error={error} onAgain={reload} />}
      <Tabs resource={resource} id={id} now={tab} />
      {tab === 'fields' && (
        <>
          <Features at="RecordPanel" {...of} />
          <Images {...of} />
          <Fields {...of} />
          {isOwn && <Pins {...of} onDecided={reload} />}
          {(resource.anchor || !isOwn) && <SettingsOf key={id} id={id} isAccount={!isOwn} />}
          {childrenOf(resource).map((child) => (
            <Children key={child.name} above={resource} child={child} record={value} />
          ))}
          <Identifiers {...of} />
        </>
      )}
      {tab === 'history' && <History {...of} id={id} onRestored={reload} />}
      {tab === 'json' && <JsonText resource={resource} id={id} />}
      {tab === 'curl' && <Curl resource={resource} id={id} />}
    </article>
  );
}

function goTo(path: string, id: string | undefined): void {
  if (id !== undefined) go(hrefOf(`${path}/${id}`), { instead: true });
}

function Head(
  props: OfRecord & { readonly tab: Tab; readonly onChanged: () => void },
): JSX.Element {
  const { resource, record, onChanged } = props;
  const [open, setOpen] = useState<'edit' | 'remove'>();
  const { unique_identifier: id } = record;
  const { previous, next } = besides(resource.path, id);
  const subtitle = subtitleOf(resource, record);
  const number = caseOf(resource, record);
  const isOwn = resource.parent !== undefined;
  const mayEdit = may('write') && isOwn;
  useEffect(() => (mayEdit ? onKeys({ e: () => setOpen('edit') }) : undefined), [mayEdit]);
  return (
    <>
      <Heading
        title={titleOf(resource, record)}
        part={props.tab === 'fields' ? undefined : says.tabs[props.tab]}
        about={
          <>
            {subtitle !== undefined && <span>{subtitle}</span>}
            {number !== undefined && (
              <span>
                {subtitle !== undefined && ' · '}
                {resource.identifier} <strong class="case">{number}</strong>
              </span>
            )}
            {said(props)}
            <Lastly resource={resource} record={record} />
          </>
        }
        way={<Way resource={resource} record={record} />}
      >
        {(previous !== undefined || next !== undefined) && (
          <span class="pair">
            <Step
              icon="left"
              label={`${says.previous} (p)`}
              disabled={previous === undefined}
              onClick={() => goTo(resource.path, previous)}
            />
            <Step
              icon="right"
              label={`${says.next} (n)`}
              disabled={next === undefined}
              onClick={() => goTo(resource.path, next)}
            />
          </span>
        )}
        {mayEdit && (
          <Button
            class="main"
            label={says.edit}
            title={`${says.edit} (e)`}
            onClick={() => setOpen('edit')}
          />
        )}
        <ActMenu
          acts={[
            {
              may: hasRight('audit') && isOwn,
              label: says.seen,
              href: hrefOf('audit', { record: id }),
            },
            ...PROGRAMS.map((tab) => ({
              may: mayProgram(),
              label: says.tabs[tab],
              href: hrefOf(`${resource.path}/${id}`, { tab }),
            })),
            ...featureEntries.map(({ path, right, ofRecord, ofRecordsThat: that }) => ({
              may:
                ofRecord !== undefined &&
                (that === undefined || saidOf(resource).includes(that)) &&
                right !== undefined &&
                hasRight(right) &&
                isOwn,
              asks: true,
              label: says[path as 'seen'],
              href: hrefOf(path, { record: id, ...ofRecord }),
            })),
            {
              may: may('delete') && isOwn,
              asks: true,
              danger: true,
              label: says.remove,
              run: () => setOpen('remove'),
            },
            {
              may: hasRight('erase') && isOwn && !resource.anchor,
              asks: true,
              danger: true,
              label: says.erase,
              href: hrefOf('privacy', { record: id }),
            },
          ]}
        />
      </Heading>
      {open === 'edit' && (
        <Edit
          resource={resource}
          record={record}
          onClose={() => setOpen(undefined)}
          onSaved={() => {
            setOpen(undefined);
            say(texts.saved);
            onChanged();
          }}
        />
      )}
      {open === 'remove' && (
        <Removal
          resource={resource}
          record={record}
          onClose={() => setOpen(undefined)}
          onRemoved={({ count, removal }) => {
            const href = hrefOf(`${resource.path}/${id}`);
            const undo = async (): Promise<void> => undoRemoval(removal ?? '', href);
            say(says.removed(count), removal !== undefined && may('write') ? { undo } : {});
            go(hrefOf(resource.path), { instead: true });
          }}
        />
      )}
    </>
  );
}

/** From the location to the record. */
function Way({ resource, record }: OfRecord): JSX.Element {
  return (
    <>
      {aboveOf(resource)
        .toReversed()
        .map((name) => {
          const one = resourceNamed(name);
          const parent = parentOf(record, name);
          if (one === undefined || parent === undefined) return null;
          return (
            <span key={name}>
              <a href={hrefOf(`${one.path}/${parent.unique_identifier}`)}>{titleOf(one, parent)}</a>
              <span aria-hidden="true"> / </span>
            </span>
          );
        })}
      <a href={hrefOf(resource.path)}>{resource.plural}</a>
    </>
  );
}

function Tabs({ resource, id, now }: ById & { readonly now: Tab }): JSX.Element {
  return (
    <nav class="tabs" aria-label={resource.singular}>
      {[...new Set<Tab>([...TABS, now])].map((tab) => (
        <a
          key={tab}
          href={hrefOf(`${resource.path}/${id}`, tab === 'fields' ? {} : { tab })}
          aria-current={tab === now ? 'page' : undefined}
        >
          {says.tabs[tab]}
        </a>
      ))}
    </nav>
  );
}
