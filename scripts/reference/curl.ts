/** Requests as commands that can be pasted into a shell. */
import { formFields } from '../../src/openapi/form-fields.ts';
import type { JsonObject } from '../../src/schema/values.ts';

const KEY = '-u "$LEDGERSTONE_KEY:"';
const NEXT = ' \\\n  ';

export function curlJson(url: string, body: JsonObject): string {
  return curlBody(`curl ${KEY} ${url}`, body);
}

export function curlChange(url: string, body: JsonObject): string {
  return curlBody(`curl -X PATCH ${KEY} ${url}`, body);
}

export function curlDelete(url: string): string {
  return `curl -X DELETE ${KEY} ${url}`;
}

/** curl encodes each value itself: the plus sign of a phone number arrives as `%2B`. */
export function curlForm(url: string, body: JsonObject): string {
  const fields = formFields(body).map(
    ([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`,
  );
  return [`curl ${KEY} ${url}`, ...fields].join(NEXT);
}

export function curlGet(url: string): string {
  return `curl ${KEY} ${quote(url)}`;
}

/** With a query that curl would take for a pattern if it stood in the address. */
export function curlQuery(url: string, query: readonly (readonly [string, string])[]): string {
  const fields = query.map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`);
  return [`curl -G ${KEY} ${url}`, ...fields].join(NEXT);
}

function curlBody(command: string, body: JsonObject): string {
  const json = JSON.stringify(body, null, 2).replaceAll('\n', '\n  ');
  return [command, "-H 'Content-Type: application/json'", `-d ${quote(json)}`].join(NEXT);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
