/** The list that a person came from, next to the record that they opened, if there is room. */
import { useEffect, useRef } from 'preact/hooks';
import { detailsOf, valuesOf } from '../../records/details.ts';
import { type ById, type Shown, titleOf } from '../../records/records.ts';
import { hrefOf } from '../../router.ts';

/** `id`: the one that is open. */
export function Beside(props: ById & { readonly records: readonly Shown[] }): JSX.Element {
  const { resource, records, id } = props;
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
