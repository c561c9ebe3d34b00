/** The records below a record: the newest ones, and a link to all. */
import { page as texts } from 'messages';
import { useLoad } from '../../load.ts';
import { Loading } from '../../parts/loading.tsx';
import { Table } from '../../parts/table.tsx';
import { type DescribedResource, filterBy, saidOf } from '../../records/description.ts';
import type { Shown } from '../../records/records.ts';
import { hrefOf } from '../../router.ts';
import { listed, type PageOf } from '../../service/api.ts';
import { labelled } from '../../values/format.ts';
import { Add } from '../edit/add.tsx';
import { Create } from '../edit/create.tsx';
import { columnsOf } from '../list/columns.tsx';
import { expandOf, usualOrder, withHome } from '../list/query.ts';

const MAX_SHOWN = 8;
const MAX_COUNTED = 100;

interface ChildrenProps {
  readonly above: DescribedResource;
  readonly child: DescribedResource;
  readonly record: Shown;
}

export function Children({ above, child, record }: ChildrenProps): JSX.Element | null {
  const filter = filterBy(child, above.name);
  const { unique_identifier: id } = record;
  const order = usualOrder(child);
  const { value, error, reload } = useLoad(
    filter === undefined ? undefined : `${child.path} of ${id}`,
    (signal) => {
      const others = { limit: MAX_COUNTED, ...(order !== '' && { order }) };
      const of = {
        [filter ?? '']: id,
        ...others,
        ...expandOf(withHome(child, []).concat(saidOf(child))),
      };
      return listed(child.path, of, signal);
    },
  );
  if (filter === undefined) return null;
  const all = hrefOf(child.path, { [filter]: id });
  return (
    <div class="children">
      <header>
        <h2>
          {child.plural}{' '}
          {value !== undefined && value.data.length > 0 && (
            <small>
              {value.data.length > MAX_SHOWN || value.has_more
                ? texts.record.countOf({
                    shown: MAX_SHOWN,
                    all: countOf(value),
                  })
                : value.data.length}
            </small>
          )}
        </h2>
        {child.parent?.resource === above.name && (
          <Add resource={child} above={record} form={Create} />
        )}
        {value !== undefined && value.data.length > 0 && (
          <a href={all} aria-label={labelled(texts.record.seeAll, child.plural)}>
            {texts.record.seeAll}
          </a>
        )}
      </header>
      <Loading of={{ value, error, reload }}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="quiet">{texts.record.noneOf(child.plural.toLowerCase())}</p>
          ) : (
            <Table
              caption={child.plural}
              columns={columnsOf(child)}
              rows={data.slice(0, MAX_SHOWN)}
              hrefOf={(record) => hrefOf(`${child.path}/${record.unique_identifier}`)}
            />
          )
        }
      </Loading>
    </div>
  );
}

function countOf({ data, has_more }: PageOf<unknown>): string {
  return has_more ? `${data.length}+` : String(data.length);
}
