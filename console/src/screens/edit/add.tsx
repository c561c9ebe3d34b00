/** The button that adds a record, for those who may. */
import { page as texts } from 'messages';
import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { type DescribedResource, fieldOf } from '../../records/description.ts';
import type { Shown } from '../../records/records.ts';
import { may, session } from '../../service/session.ts';

interface AddProps {
  readonly resource: DescribedResource;
  readonly above?: Shown | undefined;
  /** The form. */
  readonly form: ComponentType<
    Pick<AddProps, 'resource' | 'above'> & { readonly onClose: () => void }
  >;
}

export function Add({ resource, above, form: Create }: AddProps): JSX.Element | null {
  const [open, setOpen] = useState(false);
  if (!mayAdd(resource)) return null;
  return (
    <>
      <Button
        label={texts.record.add(resource.singular.toLowerCase())}
        onClick={() => setOpen(true)}
      />
      {open && <Create resource={resource} above={above} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Whether the person may, and can by typing. */
export function mayAdd(resource: DescribedResource): boolean {
  const { parent, anchor, images } = resource;
  if (parent === undefined || !may('write')) return false;
  // People do not type the addresses of images.
  if (images !== undefined && fieldOf(resource, images)?.required === true) return false;
  return !anchor || session.value?.locations === null;
}
