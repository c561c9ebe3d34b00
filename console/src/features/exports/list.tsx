/** Saves the whole list that the filters select, or leads to the screen of exports with what the list shows. */

import { exports as says } from 'messages';
import { toJson } from '../../../../client/src/json.ts';
import { queryText } from '../../../../client/src/query.ts';
import { Button, Icon } from '../../parts/button.tsx';
import { download } from '../../parts/download.ts';
import { chooseLocation } from '../../places/locations.ts';
import { anchor, type DescribedResource, filterBy } from '../../records/description.ts';
import { hrefOf } from '../../router.ts';
import { post } from '../../service/api.ts';
import { signedInFor } from '../../service/session.ts';
import type { Spots } from '../spots.ts';
import { entry } from './entry.ts';
import { fileNameOf } from './file-name.ts';
import { headingsOf } from './headings.ts';

type Filters = Readonly<Record<string, string>>;

function filtersOf({ starting_after: _, ending_before: __, ...filters }: Filters): Filters {
  return filters;
}

/** The location is that of all screens. */
function exportOf(resource: DescribedResource, filters: Filters) {
  const param = (anchor && filterBy(resource, anchor.name)) ?? '';
  const { [param]: location, ...others } = filters;
  return { href: hrefOf(entry.path, { resource: resource.path, ...others }), location };
}

export function ListTakeAway(props: Spots['ListTakeAway']): JSX.Element {
  const { resource, params, isBusy, during } = props;
  const filters = filtersOf(params);
  const asCsv = async (): Promise<void> => {
    const wanted = {
      ...{ resources: [resource.path], format: 'spreadsheet_csv' },
      filters: queryText(filters).slice(1),
      headings: headingsOf(resource),
    };
    const answer = await signedInFor(() => post('/exports', toJson(wanted), 'application/json'));
    download(await answer.blob(), fileNameOf(resource.plural, 'csv'));
  };
  const exported = exportOf(resource, filters);
  return (
    <>
      <Button
        class="plain item"
        label={says.ofList.csv}
        icon="download"
        disabled={isBusy}
        onClick={() => void during(asCsv)}
      />
      <a
        class="item"
        href={exported.href}
        onClick={() => exported.location !== undefined && chooseLocation(exported.location)}
      >
        <Icon name={entry.icon} />
        {says.ofList.export}
      </a>
    </>
  );
}
