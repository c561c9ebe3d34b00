/** The page at the root: what answers here, and where to go on. It shows no data and asks for no key. */
import { escapeHtml, page } from './html.ts';

/** `publicUrl` is the address at which the caller reaches the service. */
export function homePage(publicUrl: string): string {
  const url = escapeHtml(publicUrl);
  return page(
    'Ledgerstone',
    `<header>
<h1>Ledgerstone</h1>
<p class="lead">The records of funeral homes, kept for the systems that send them.</p>
</header>
<main>
<p>This address is a JSON service for programs. Every record is created or changed by one upsert, which merges what it brings into what is stored; repeating it changes nothing.</p>
<section>
<h2>Try it</h2>
<p>With the API key that your operator gave you, as the username and without a password:</p>
<pre tabindex="0"><code>curl -u YOUR_API_KEY: ${url}/v1/accounts</code></pre>
<p>The answer lists the accounts that the key may see.</p>
</section>
<section>
<h2>Where to go on</h2>
<dl class="card">
<dt><a href="${url}/openapi.json">/openapi.json</a></dt>
<dd>Every endpoint, field and answer, as OpenAPI 3.1</dd>
<dt><a href="${url}/docs/errors">/docs/errors</a></dt>
<dd>Every error: what it means and what to do</dd>
<dt><a href="${url}/healthz">/healthz</a></dt>
<dd>Whether the process runs</dd>
<dt><a href="${url}/readyz">/readyz</a></dt>
<dd>Whether it takes records now</dd>
</dl>
</section>
</main>`,
  );
}
