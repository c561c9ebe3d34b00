/** Prints the whole list that the filters select, not only the page that is shown; features add how else it is taken away. */
import { page as texts } from 'messages';
import { useState } from 'preact/hooks';
import { Features } from '../../features/features.tsx';
import { Button, Icon } from '../../parts/button.tsx';
import { sentenceOf } from '../../parts/loading.tsx';
import { Menu } from '../../parts/menu.tsx';
import { say } from '../../parts/notice.tsx';
import type { DescribedResource } from '../../records/description.ts';
import type { Shown } from '../../records/records.ts';
import { printed } from '../../service/api.ts';
import { walkAll } from './walk-all.ts';

const MAX_ON_PAPER = 2_000;

interface TakeAwayProps {
  readonly resource: DescribedResource;
  readonly params: Readonly<Record<string, string>>;
  readonly onPrint: (records: readonly Shown[]) => void;
}

export function TakeAway({ resource, params, onPrint }: TakeAwayProps): JSX.Element {
  const [isBusy, setBusy] = useState(false);
  const during = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      say(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  const onPaper = async (): Promise<void> => {
    const { records, more } = await walkAll(resource, params, MAX_ON_PAPER);
    if (more) say(texts.list.cut(MAX_ON_PAPER));
    await printed(resource.path);
    onPrint(records);
  };
  return (
    <Menu name={texts.list.takeAway} label={<Icon name="download" />} icon={false} class="end">
      <Button
        class="plain item"
        label={texts.list.print}
        icon="print"
        disabled={isBusy}
        onClick={() => void during(onPaper)}
      />
      <Features at="ListTakeAway" {...{ resource, params, isBusy, during }} />
    </Menu>
  );
}
