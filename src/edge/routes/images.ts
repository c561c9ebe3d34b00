/** Images of records, fetched by this service: no other server sees the viewers, and they name no address. */

import type { Resource } from '../../core/schema/define.ts';
import { parseQuery } from '../../core/schema/parse/query-string.ts';
import { authorize } from '../../records/auth/principal.ts';
import type { FindImage } from '../../records/query/image.ts';
import type { Images } from '../../services/images/images.ts';
import { memoryOf } from '../fair/memory.ts';
import { stillMay } from '../fair/still.ts';
import { unknownFieldsOf } from '../request/body.ts';
import { callerOf, goneSignal, queryOf } from '../request/request.ts';
import { prepare } from '../response/envelope.ts';
import type { RecordHandler } from './records.ts';

export function imageHandler(
  resource: Resource,
  findImage: FindImage,
  images: Images,
): RecordHandler {
  return async (request, reply) => {
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
  };
}
