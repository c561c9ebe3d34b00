/** The introduction of the OpenAPI document, in Markdown: rules for every endpoint. */

/** `serverUrl` is where the reference of errors is. */
export function overview(serverUrl: string): string {
  return `Ledgerstone stores the records of funeral homes that other systems send to it.

**Upserts.** Every record is created or changed by a POST to a path that ends in \`/upsert\`. A record is identified by its parent's unique identifier and your own \`external_identifier\`. If a record with this pair exists, what you send is merged into it; otherwise it is created. The answer is the whole record, with status 200 either way; the header \`Ledgerstone-Outcome\` says \`created\`, \`updated\` or \`unchanged\`. An upsert is safe to repeat: sending the same body again changes nothing.

**Merging.** What you leave out stays as it is. Objects are merged member by member, free-form content at every depth (RFC 7396). Arrays, texts, numbers and booleans replace what is stored. \`null\` removes an optional member, as does an empty text for an optional text, phone number, date, number or boolean. Required parameters are required in every upsert. Answers omit members without a value; they never hold \`null\`, except within free-form content.

**Changing and removing.** A PATCH to \`/v1/<resource>/{unique_identifier}\` merges like an upsert and has no required parameters. A DELETE removes the record, and what belongs to it only if the query says \`cascade=true\`. \`If-Match\` restricts a write to the version that you know, \`Ledgerstone-Mode\` restricts an upsert to creating or to updating, and \`dry_run=true\` in the query shows what any write would do without changing anything. A write with an \`Idempotency-Key\` can be repeated for 24 hours: it takes effect once, and gets the same answer each time. You can name parents by your own identifiers.

**Reading.** Every resource is listed at \`GET /v1/<resource>\`, page by page, with optional filters, and a single record is read at \`GET /v1/<resource>/{unique_identifier}\`, with its version as \`ETag\`. The parameter \`expand[]\` includes what a record belongs to in the same answer.

**Bodies.** Every upsert takes \`application/json\` and \`application/x-www-form-urlencoded\`, in UTF-8, up to 1 MiB, nested up to 32 levels, of up to 32,768 members or fields and 65,536 members, elements, objects and arrays together. A form writes a member of an object as \`object[member]=…\` and an element of an array as \`array[]=…\` or \`array[0]=…\`; booleans are \`true\`, \`false\`, \`1\` or \`0\`, numbers are decimal digits, and an empty value removes the member. The plus sign of a phone number is percent-encoded as \`%2B\`. In a form, every value of free-form content is text.

**Unknown parameters** are refused, with the nearest known name in the message: nothing you send is dropped silently. The header \`Ledgerstone-Unknown-Fields: ignore\` turns this off for one request.

**Errors** name every fault of a request at once. A path that does not exist is a 404 with the code \`path_unknown\`, a method that a path does not take is a 405 with \`method_not_allowed\` and the header \`Allow\`. Every code is explained at ${serverUrl}/docs/errors.

**Keys.** A key sees the records of its accounts, or of single locations of them; what it may not see does not exist for it. A key that may write gets the merged record back from an upsert or a PATCH, even if it may not read.

**Versions.** \`/v1\` only ever gains things: new endpoints, new optional parameters, new members of answers, new error codes, new values. Ignore fields and values that you do not recognise. What is to go is announced at least twelve months before, by \`Deprecation\` and \`Sunset\` in answers: ${serverUrl}/docs/versioning says what holds, ${serverUrl}/docs/changelog what is new.`;
}
