/** The self-tests of partners' programs, each with its checks. */
import { selfTests as says } from 'messages';
import type { SelfTest } from '../../../../client/src/generated/objects.d.ts';
import { useLoad } from '../../load.ts';
import { Status } from '../../parts/fact.tsx';
import { nameFirst } from '../../records/key-names.ts';
import { api } from '../../service/api.ts';
import { agoText } from '../../values/format.ts';

export function FeedsFoot(): JSX.Element | null {
  const { value } = useLoad('self-tests', (signal) => api.self_tests.list({ signal }));
  if (value === undefined || value.length === 0) return null;
  return (
    <section class="children self-tests">
      <header>
        <h2>{says.title}</h2>
        <a href="/docs/self-test" target="_blank" rel="noopener">
          {says.about}
        </a>
      </header>
      {value.map((one) => (
        <Report key={one.unique_identifier} report={one} name={nameFirst(one.key)} />
      ))}
    </section>
  );
}

function Report(props: { readonly report: SelfTest; readonly name: string }): JSX.Element {
  const { report, name } = props;
  const { status, passed, checks, inserted_at } = report;
  return (
    <details>
      <summary>
        <strong>{name}</strong> <span>{says.passed({ passed, all: checks.length })}</span>{' '}
        <Status of={status} words={says.statuses} />{' '}
        <small class="quiet">{agoText(inserted_at)}</small>
      </summary>
      <ul>
        {checks.map((check) => (
          <li key={check.name}>
            <Status of={check.status} words={says.checks} />
            {/* Those who write programs read it as the service says it. */}
            <span class="said" lang="en">
              {check.does} <small class="quiet">{check.seen}</small>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
