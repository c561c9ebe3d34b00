/** The OpenAPI document as this service publishes it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const DOCUMENT = join(import.meta.dirname, '../../openapi.json');
/** The address that the document was generated for. */
const GENERATED_FOR = 'http://127.0.0.1:8080';

/** The document as JSON text, with the address of this service. */
export async function openapiAt(address: string): Promise<string> {
  const { 'x-generated': _note, ...document } = JSON.parse(await readFile(DOCUMENT, 'utf8'));
  return JSON.stringify(document).replaceAll(GENERATED_FOR, address);
}
