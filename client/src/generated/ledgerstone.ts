// Generated from src/core/resources/ by "npm run generate"; do not edit.

import { Changes } from '../changes.ts';
import { Collection, ReadableCollection, type Strict } from '../collection.ts';
import { inPath } from '../query.ts';
import { type Send, sender } from '../send.ts';
import type { RequestOptions, Settings } from '../settings.ts';
import { type Bulk, runSync, type SyncOf, type SyncOptions, type SyncResult } from '../sync.ts';
import type * as our from './records.d.ts';
import { RemovalsApi, ProposalsApi, LocationSettingsApi, SourcesApi, SyncsApi, RequestsApi, ActivityApi, AuditApi, ErasuresApi, DoNotContactApi, ExpectationsApi, FollowUpsApi, TicksApi, HoldsApi, UploadsApi, ImportsApi, RetentionRulesApi, SelfTestsApi, WebhookEndpointsApi } from './operations.ts';
import type { SearchParams } from './objects.d.ts';
import type { SearchFindings } from './search.d.ts';
import type { LocationSettings } from './objects.d.ts';
import type { PatchAccountSettingsParams } from './objects.d.ts';
import type { PatchLocationSettingsParams } from './objects.d.ts';
import type { ApiKey } from './objects.d.ts';
import type { GetImportTemplateParams } from './objects.d.ts';
import type { ImportTemplate } from './objects.d.ts';

interface AccountTypes {
  readonly record: our.AccountListEntry;
  readonly entry: our.AccountListEntry;
  readonly list: our.AccountListParams;
  readonly expandable: our.AccountExpandable;
}

interface FuneralLocationTypes {
  readonly record: our.FuneralLocation;
  readonly entry: our.FuneralLocationListEntry;
  readonly list: our.FuneralLocationListParams;
  readonly expandable: our.FuneralLocationExpandable;
  readonly upsert: our.FuneralLocationUpsert;
  readonly patch: our.FuneralLocationPatch;
  readonly named: our.FuneralLocationNamed;
  readonly removed: our.FuneralLocationDeleted;
}

interface FuneralEventTypes {
  readonly record: our.FuneralEvent;
  readonly entry: our.FuneralEvent;
  readonly list: our.FuneralEventListParams;
  readonly expandable: our.FuneralEventExpandable;
  readonly upsert: our.FuneralEventUpsert;
  readonly patch: our.FuneralEventPatch;
  readonly named: our.FuneralEventNamed;
  readonly removed: our.FuneralEventDeleted;
}

interface EventAdministratorTypes {
  readonly record: our.EventAdministrator;
  readonly entry: our.EventAdministrator;
  readonly list: our.EventAdministratorListParams;
  readonly expandable: our.EventAdministratorExpandable;
  readonly upsert: our.EventAdministratorUpsert;
  readonly patch: our.EventAdministratorPatch;
  readonly named: our.EventAdministratorNamed;
  readonly removed: our.EventAdministratorDeleted;
}

interface EventCheckInRecordTypes {
  readonly record: our.EventCheckInRecord;
  readonly entry: our.EventCheckInRecord;
  readonly list: our.EventCheckInRecordListParams;
  readonly expandable: our.EventCheckInRecordExpandable;
  readonly upsert: our.EventCheckInRecordUpsert;
  readonly patch: our.EventCheckInRecordPatch;
  readonly named: our.EventCheckInRecordNamed;
  readonly removed: our.EventCheckInRecordDeleted;
}

interface OnlineArrangementTypes {
  readonly record: our.OnlineArrangement;
  readonly entry: our.OnlineArrangement;
  readonly list: our.OnlineArrangementListParams;
  readonly expandable: our.OnlineArrangementExpandable;
  readonly upsert: our.OnlineArrangementUpsert;
  readonly patch: our.OnlineArrangementPatch;
  readonly named: our.OnlineArrangementNamed;
  readonly removed: our.OnlineArrangementDeleted;
}

interface DirectMailReplyTypes {
  readonly record: our.DirectMailReply;
  readonly entry: our.DirectMailReply;
  readonly list: our.DirectMailReplyListParams;
  readonly expandable: our.DirectMailReplyExpandable;
  readonly upsert: our.DirectMailReplyUpsert;
  readonly patch: our.DirectMailReplyPatch;
  readonly named: our.DirectMailReplyNamed;
  readonly removed: our.DirectMailReplyDeleted;
}

/** What is sent of each resource, by its name. */
interface Upserts {
  readonly location: our.FuneralLocationUpsert;
  readonly event: our.FuneralEventUpsert;
  readonly event_administrator: our.EventAdministratorUpsert;
  readonly event_check_in_record: our.EventCheckInRecordUpsert;
  readonly online_arrangement: our.OnlineArrangementUpsert;
  readonly direct_mail_reply: our.DirectMailReplyUpsert;
}

/** Calls one service with one key: `new Ledgerstone({ key, url })`. */
export class Ledgerstone {
  /** The top-level object: a funeral group. Accounts can be listed; operators create them on the command line. */
  readonly accounts: ReadableCollection<AccountTypes>;
  /** One service provider (a funeral home location): the anchor to which other records attach. */
  readonly locations: Collection<FuneralLocationTypes>;
  /** A service honoring a deceased person, held by a location. */
  readonly events: Collection<FuneralEventTypes>;
  /** Someone who administers an event, typically a next-of-kin family member. */
  readonly event_administrators: Collection<EventAdministratorTypes>;
  /** A visitor to an event, typically family or a friend. */
  readonly event_check_in_records: Collection<EventCheckInRecordTypes>;
  /** An arrangement started through an online portal, with its cart and its purchaser. */
  readonly online_arrangements: Collection<OnlineArrangementTypes>;
  /** A reply to a direct mail piece, with images of it and, where known, its respondent. */
  readonly direct_mail_replies: Collection<DirectMailReplyTypes>;
  /** All changes, in order. */
  readonly changes: Changes;
  /** The operations at `/v1/removals`. */
  readonly removals: RemovalsApi;
  /** The operations at `/v1/proposals`. */
  readonly proposals: ProposalsApi;
  /** The operations at `/v1/location_settings`. */
  readonly location_settings: LocationSettingsApi;
  /** The operations at `/v1/sources`. */
  readonly sources: SourcesApi;
  /** The operations at `/v1/syncs`. */
  readonly syncs: SyncsApi;
  /** The operations at `/v1/requests`. */
  readonly requests: RequestsApi;
  /** The operations at `/v1/activity`. */
  readonly activity: ActivityApi;
  /** The operations at `/v1/audit`. */
  readonly audit: AuditApi;
  /** The operations at `/v1/erasures`. */
  readonly erasures: ErasuresApi;
  /** The operations at `/v1/do_not_contact`. */
  readonly do_not_contact: DoNotContactApi;
  /** The operations at `/v1/expectations`. */
  readonly expectations: ExpectationsApi;
  /** The operations at `/v1/follow_ups`. */
  readonly follow_ups: FollowUpsApi;
  /** The operations at `/v1/ticks`. */
  readonly ticks: TicksApi;
  /** The operations at `/v1/holds`. */
  readonly holds: HoldsApi;
  /** The operations at `/v1/uploads`. */
  readonly uploads: UploadsApi;
  /** The operations at `/v1/imports`. */
  readonly imports: ImportsApi;
  /** The operations at `/v1/retention_rules`. */
  readonly retention_rules: RetentionRulesApi;
  /** The operations at `/v1/self_tests`. */
  readonly self_tests: SelfTestsApi;
  /** The operations at `/v1/webhook_endpoints`. */
  readonly webhook_endpoints: WebhookEndpointsApi;
  readonly #send: Send;

  constructor(settings: Settings) {
    const send = sender(settings);
    this.accounts = new ReadableCollection(send, 'accounts');
    this.locations = new Collection(send, 'locations');
    this.events = new Collection(send, 'events');
    this.event_administrators = new Collection(send, 'event_administrators');
    this.event_check_in_records = new Collection(send, 'event_check_in_records');
    this.online_arrangements = new Collection(send, 'online_arrangements');
    this.direct_mail_replies = new Collection(send, 'direct_mail_replies');
    this.changes = new Changes(send);
    this.removals = new RemovalsApi(send);
    this.proposals = new ProposalsApi(send);
    this.location_settings = new LocationSettingsApi(send);
    this.sources = new SourcesApi(send);
    this.syncs = new SyncsApi(send);
    this.requests = new RequestsApi(send);
    this.activity = new ActivityApi(send);
    this.audit = new AuditApi(send);
    this.erasures = new ErasuresApi(send);
    this.do_not_contact = new DoNotContactApi(send);
    this.expectations = new ExpectationsApi(send);
    this.follow_ups = new FollowUpsApi(send);
    this.ticks = new TicksApi(send);
    this.holds = new HoldsApi(send);
    this.uploads = new UploadsApi(send);
    this.imports = new ImportsApi(send);
    this.retention_rules = new RetentionRulesApi(send);
    this.self_tests = new SelfTestsApi(send);
    this.webhook_endpoints = new WebhookEndpointsApi(send);
    this.#send = send;
  }

  /** Sends all that you have of a resource at a place, from any iterable, and then removes what your source made there and did not send. Throws `sync_removes_too_much` where that is more than `atMost`. Where it fails, nothing is removed and the sync stays open: start over, or send the rest with `{ resource, unique_identifier }` of the sync. */
  sync<Name extends keyof Upserts, Row extends Upserts[Name]>(
    of: SyncOf<Name>,
    rows: AsyncIterable<Strict<Row, Upserts[Name]>> | Iterable<Strict<Row, Upserts[Name]>>,
    options: SyncOptions = {},
  ): Promise<SyncResult<Row>> {
    const { locations: location, events: event, event_administrators: event_administrator, event_check_in_records: event_check_in_record, online_arrangements: online_arrangement, direct_mail_replies: direct_mail_reply } = this;
    const to = { location, event, event_administrator, event_check_in_record, online_arrangement, direct_mail_reply }[of.resource] as unknown as Bulk<Row>;
    return runSync(this.syncs, of, (more) => to.upsertMany(rows, more), options);
  }

  /** Search records. Finds records by words of names (their beginnings, in any order; words of five or more letters may have one wrong letter), by a phone number or its last four or more digits, and by a whole email address, external_identifier or unique_identifier. Only what the key may read is searched. A new record may take a few seconds to be found by its words and digits; removed records and old contents are never shown. Nothing is written, and the query is not part of any URL. */
  async search(params: SearchParams, options?: RequestOptions): Promise<SearchFindings> {
    return this.#send({ method: 'POST', path: '/v1/search', json: params, options }) as Promise<SearchFindings>;
  }

  /** Read the settings of an account. Returns the time zone, region and state of the account. They apply to its locations that have none of their own. */
  async retrieveAccountSettings(unique_identifier: string, options?: RequestOptions): Promise<LocationSettings> {
    return this.#send({ method: 'GET', path: `/v1/accounts/${inPath(unique_identifier)}/settings`, options }) as Promise<LocationSettings>;
  }

  /** Change the settings of an account. Changes the members that you send and leaves the others. White space around region and state is removed. They apply to its locations that have none of their own. */
  async patchAccountSettings(unique_identifier: string, params: PatchAccountSettingsParams = {}, options?: RequestOptions): Promise<LocationSettings> {
    return this.#send({ method: 'PATCH', path: `/v1/accounts/${inPath(unique_identifier)}/settings`, json: params, options }) as Promise<LocationSettings>;
  }

  /** Read the settings of a location. Returns the time zone, region and state of the location. What is not set for the location comes from its account, and `inherited` names it. */
  async retrieveLocationSettings(unique_identifier: string, options?: RequestOptions): Promise<LocationSettings> {
    return this.#send({ method: 'GET', path: `/v1/locations/${inPath(unique_identifier)}/settings`, options }) as Promise<LocationSettings>;
  }

  /** Change the settings of a location. Changes the members that you send and leaves the others. White space around region and state is removed. What is not set for the location comes from its account, and `inherited` names it. */
  async patchLocationSettings(unique_identifier: string, params: PatchLocationSettingsParams = {}, options?: RequestOptions): Promise<LocationSettings> {
    return this.#send({ method: 'PATCH', path: `/v1/locations/${inPath(unique_identifier)}/settings`, json: params, options }) as Promise<LocationSettings>;
  }

  /** Read this API key. Returns what the API key of the request may do, and until when. */
  async me(options?: RequestOptions): Promise<ApiKey> {
    return this.#send({ method: 'GET', path: '/v1/me', options }) as Promise<ApiKey>;
  }

  /** Read a template. Returns a table with nothing but the names of columns, to be filled and imported. */
  async importTemplates(params: GetImportTemplateParams, options?: RequestOptions): Promise<ImportTemplate> {
    return this.#send({ method: 'GET', path: '/v1/import_templates', query: params, options }) as Promise<ImportTemplate>;
  }
}
