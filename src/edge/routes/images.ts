/** Images of records, fetched by this service: no other server sees the viewers, and they name no address. */

import type { FastifyInstance } from 'fastify';
import type { Resource } from '../../core/schema/define.ts';
import { parseQuery } from '../../core/schema/parse/query-string.ts';
import { imagesOf } from '../../core/schema/present/images.ts';
import { authorize } from '../../records/auth/principal.ts';
import type { FindImage } from '../../records/query/image.ts';
import type { Images } from '../../services/images/images.ts';
import { memoryOf } from '../fair/memory.ts';
import { stillMay } from '../fair/still.ts';
import { unknownFieldsOf } from '../request/body.ts';
import { callerOf, goneSignal, queryOf } from '../request/request.ts';
import { prepare } from '../response/envelope.ts';

interface OfImage {
  readonly Params: { readonly unique_identifier: string; readonly index: string };
}

export function addImageRoute(
  server: FastifyInstance,
  resource: Resource,
  findImage: FindImage,
  images: Images,
): void {
  if (imagesOf(resource) === undefined) return;
  const config = { needs: { resource, action: 'read' as const }, audits: 'image' as const };
  const path = `/v1/${resource.path}/:unique_identifier/images/:index`;
  server.get<OfImage>(path, { config }, async (request, reply) => {
    parseQuery({}, queryOf(request), unknownFieldsOf(request));
    const { unique_identifier, index } = request.params;
    const principal = callerOf(request);
    const { url, account, param } = await findImage(principal, resource, unique_identifier, index);
    request.done = { unique_identifier, account };
    const still = stillMay(request, (now) => authorize(now, resource.path, 'read'));
    const bytes = await images.fetch(account, url, param, goneSignal(reply));
    // Another server may have taken seconds.
    await still();
    memoryOf(reply).hold(bytes.length);
    return prepare(reply)
      .header('content-type', 'image/jpeg')
      .header('content-disposition', 'inline; filename="image.jpg"')
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(bytes);
  });
}
