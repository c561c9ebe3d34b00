/** The reference of naming a parent in other ways, and of changing and removing one record. */
import { exampleChange, exampleIdentifier, exampleRemoved } from '../../src/openapi/examples.ts';
import { articled } from '../../src/openapi/names.ts';
import type { Resource } from '../../src/schema/define.ts';
import { combinationsOf } from '../../src/schema/reference.ts';
import { inWords } from '../../src/schema/words.ts';
import type { Curl } from './curl.ts';
import { block, capital, code, kindInWords, pretty, table } from './markdown.ts';

/** The ways to name the parent by the caller's own identifiers, where there are any. */
export function namesSection({ parent, parentNames }: Resource): string[] {
  const names = Object.entries(parentNames);
  if (parent === undefined || names.length === 0) return [];
  const ways = combinationsOf(parent).map((way) => way.map(code).join(' with '));
  return [
    `The ${inWords(parent.name)} can be named in ${ways.length} ways, of which exactly one is sent: ${ways.join('; ')}.`,
    table(
      ['Parameter', 'Kind', 'What it is'],
      names.map(([name, { kind, says }]) => [code(name), kindInWords(kind), capital(says)]),
    ),
  ];
}

export function changeSections(resource: Resource, curl: Curl): string[] {
  if (resource.parent === undefined) return [];
  const { path } = resource;
  const url = `/v1/${path}/${exampleIdentifier(resource)}`;
  return [
    `### PATCH /v1/${path}/{unique_identifier}`,
    `Changes ${articled(resource)}: takes the parameters of the upsert, of which nothing has to be sent, and answers the same object. [merging.md](merging.md) says what is merged.`,
    block('sh', curl.change(url, exampleChange(resource))),
    `### DELETE /v1/${path}/{unique_identifier}`,
    `Removes ${articled(resource)}. \`DELETE /v1/${path}?external_identifier=…\` does it [by your own identifiers](merging.md#removing). [errors-and-retries.md](errors-and-retries.md) says how it is repeated safely.`,
    block('sh', curl.remove(url)),
    'Answer:',
    block('json', pretty(exampleRemoved(resource))),
  ];
}
