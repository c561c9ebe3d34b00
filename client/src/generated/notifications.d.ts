// Generated from src/core/resources/ by "npm run generate"; do not edit.

import type { ChangeNotification, Notification, ProposalNotification } from '../notifications.ts';
import type { WebhookEndpoint } from './objects.d.ts';
import type * as our from './records.d.ts';

/** `api.webhook_endpoints.test` sends it. */
export type TestNotification = Notification<'webhook_endpoint.test', WebhookEndpoint>;

/** A notification that a webhook endpoint receives, of the kind in `type`. Ignore unknown kinds. */
export type WebhookNotification = 
  | ChangeNotification<'account', 'created' | 'updated' | 'wiped', our.AccountListEntry>
  | ChangeNotification<'location', 'created' | 'updated' | 'deleted' | 'restored' | 'erased', our.FuneralLocation>
  | ChangeNotification<'event', 'created' | 'updated' | 'deleted' | 'restored' | 'erased', our.FuneralEvent>
  | ChangeNotification<'event_administrator', 'created' | 'updated' | 'deleted' | 'restored' | 'erased', our.EventAdministrator>
  | ChangeNotification<'event_check_in_record', 'created' | 'updated' | 'deleted' | 'restored' | 'erased', our.EventCheckInRecord>
  | ChangeNotification<'online_arrangement', 'created' | 'updated' | 'deleted' | 'restored' | 'erased', our.OnlineArrangement>
  | ChangeNotification<'direct_mail_reply', 'created' | 'updated' | 'deleted' | 'restored' | 'erased', our.DirectMailReply>
  | ProposalNotification
  | TestNotification;
