/** The one next step of an account that has only begun, for whoever looks: nothing once something is there. */
import { today as says, page as texts } from 'messages';
import { entries, isSeen } from '../entries.ts';
import { useLoad } from '../load.ts';
import { useLocations } from '../places/locations.ts';
import { anchor, type DescribedResource } from '../records/description.ts';
import { hrefOf } from '../router.ts';
import { Add, mayAdd } from '../screens/edit/add.tsx';
import { Create } from '../screens/edit/create.tsx';
import { listed } from '../service/api.ts';
import { session } from '../service/session.ts';

interface NextStepProps {
  /** There are none yet; `undefined`: not of one resource alone. */
  readonly resource?: DescribedResource | undefined;
}

export function NextStep({ resource }: NextStepProps): JSX.Element | null {
  const { value: locations } = useLocations();
  // Services come before what belongs to them.
  const above = resource?.parent?.resource === anchor?.name ? anchor : undefined;
  const { value: services } = useLoad('whether there are services', (signal) =>
    listed('events', { limit: 1 }, signal),
  );
  if (locations === undefined || services === undefined) return null;
  const hasLocations = locations.data.length > 0;
  const wanted = hasLocations ? resource : anchor;
  if (wanted !== undefined && mayAdd(wanted)) return <Add resource={wanted} form={Create} />;
  const isNew = services.data.length === 0 || above !== undefined;
  const next = ['import', 'keys'].find((path) =>
    entries.some((one) => one.path === path && isSeen(one, session.value)),
  );
  if (!isNew) return null;
  if (next === undefined) return <p>{says.askAnother}</p>;
  return (
    <a class="button" href={hrefOf(next)}>
      {texts.nav[next as 'import']} …
    </a>
  );
}
