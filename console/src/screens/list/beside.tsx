/** The list that a person came from, next to the record that they opened, if there is room. */
import { useEffect, useRef } from 'preact/hooks';
import type { DescribedResource } from '../../records/description.ts';
import { detailsOf, valuesOf } from '../../records/details.ts';
import { type Shown, titleOf } from '../../records/records.ts';
import { hrefOf } from '../../router.ts';

interface BesideProps {
  readonly resource: DescribedResource;
  readonly records: readonly Shown[];
  readonly id: string;
}

export function Beside({ resource, records, id }: BesideProps): JSX.Element {
  const open = useRef<HTMLAnchorElement>(null);
  useEffect(() => open.current?.scrollIntoView({ block: 'nearest' }), [id]);
  return (
    <nav aria-label={resource.plural}>
      <ul>
        {records.map((record) => {
          const isOpen = record.unique_identifier === id;
          const [value] = valuesOf(resource, record);
          return (
            <li key={record.unique_identifier}>
              <a
                ref={isOpen ? open : null}
                href={hrefOf(`${resource.path}/${record.unique_identifier}`)}
                aria-current={isOpen ? 'page' : undefined}
              >
                {titleOf(resource, record)}
                <small>
                  {[value?.text, ...detailsOf(resource, record)].filter(Boolean).join(' · ')}
                </small>
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
