/** Prints or saves the whole list that the filters select, not only the page that is shown. */
import { page as texts } from 'messages';
import { useState } from 'preact/hooks';
import { Button, Icon } from '../../parts/button.tsx';
import { csvFile, download } from '../../parts/download.ts';
import { loadSeldom } from '../../parts/later.tsx';
import { sentenceOf } from '../../parts/loading.tsx';
import { Menu } from '../../parts/menu.tsx';
import { say } from '../../parts/notice.tsx';
import { chooseLocation } from '../../places/locations.ts';
import { usualZone } from '../../places/zones.ts';
import { anchor, type DescribedResource, filterBy } from '../../records/description.ts';
import type { Shown } from '../../records/records.ts';
import { hrefOf } from '../../router.ts';
import { printed, saved } from '../../service/api.ts';
import { withOffset } from '../../values/days.ts';

/** The screen of exports begins with what the list shows; the location is that of all screens. */
function exportOf(
  resource: DescribedResource,
  { starting_after: _, ending_before: __, ...filters }: Readonly<Record<string, string>>,
): { readonly href: string; readonly location: string | undefined } {
  const param = (anchor && filterBy(resource, anchor.name)) ?? '';
  const { [param]: location, ...others } = filters;
  return { href: hrefOf('export', { resource: resource.path, ...others }), location };
}

/** More is for `ledgerstone export`. */
const MAX_IN_CSV = 50_000;
const MAX_ON_PAPER = 2_000;

interface TakeAwayProps {
  readonly resource: DescribedResource;
  readonly params: Readonly<Record<string, string>>;
  readonly onPrint: (records: readonly Shown[]) => void;
}

export function TakeAway({ resource, params, onPrint }: TakeAwayProps): JSX.Element {
  const [busy, setBusy] = useState(false);
  const take = async (most: number, use: (records: readonly Shown[]) => void | Promise<void>) => {
    setBusy(true);
    try {
      const { walkAll } = await loadSeldom();
      const { records, more } = await walkAll(resource, params, most);
      if (more) say(texts.list.cut(most));
      await use(records);
    } catch (error) {
      say(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  const asCsv = async (records: readonly Shown[]): Promise<void> => {
    const { csvOf } = await loadSeldom();
    await saved(resource.path);
    download(
      csvFile(csvOf(resource, records)),
      `${resource.path}-${withOffset(new Date(), usualZone.value).slice(0, 10)}.csv`,
    );
  };
  const exported = exportOf(resource, params);
  return (
    <Menu name={texts.list.takeAway} label={<Icon name="download" />} icon={false} class="end">
      <Button
        class="plain item"
        label={texts.list.print}
        icon="print"
        disabled={busy}
        onClick={() =>
          void take(MAX_ON_PAPER, async (records) => {
            await printed(resource.path);
            onPrint(records);
          })
        }
      />
      <Button
        class="plain item"
        label={texts.list.csv}
        icon="download"
        disabled={busy}
        onClick={() => void take(MAX_IN_CSV, asCsv)}
      />
      <a
        class="item"
        href={exported.href}
        onClick={() => exported.location !== undefined && chooseLocation(exported.location)}
      >
        <Icon name="export" />
        {texts.list.export}
      </a>
    </Menu>
  );
}
