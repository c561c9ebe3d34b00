/** The program's own objects that are declared. */
import { apiKey } from './api-key.ts';
import type { OwnObject } from './own-object.ts';
import { passkey } from './passkey.ts';
import { staffMember } from './staff-member.ts';
import { staffSession } from './staff-session.ts';
import { webhookDelivery } from './webhook-delivery.ts';
import { webhookEndpoint } from './webhook-endpoint.ts';

export const ownObjects: readonly Pick<OwnObject, 'name' | 'typeName' | 'says' | 'views'>[] = [
  apiKey,
  webhookEndpoint,
  webhookDelivery,
  staffMember,
  passkey,
  staffSession,
];
