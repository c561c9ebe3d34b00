// Generated from client/src/generated/operations.ts by "npm run generate"; do not edit.

import { ChangePages } from '../changes.ts';
import { List } from '../list.ts';
import { Operations } from '../send.ts';
import type { RequestOptions } from '../settings.ts';
import type { Removal, RestoredRemoval, Proposal, LocationSettings, Source, Sync, RefusedRequest, Activity, AuditEntry, Erasure, ErasureCertificate, ErasureAcknowledgement, DoNotContact, DoNotContactAdded, Expectation, RemovedExpectation, FollowUp, FollowUpCounts, FollowUpColleagues, Tick, Hold, Upload, RemovedUpload, ImportLook, ImportResult, Import, ImportRejected, ImportUndo, RetentionRule, RemovedRetentionRule, RetentionLift, RetentionRun, SelfTest, WebhookEndpoint, RemovedWebhookEndpoint, WebhookDelivery, WebhookTest, ListRemovalsParams, RestoreRemovalParams, ListProposalsParams, ListLocationSettingsParams, ListSourcesParams, UpdateSourceParams, MergeSourceParams, BeginSyncParams, ListSyncsParams, FinishSyncParams, ListRequestsParams, ListActivityParams, ListAuditParams, BeginErasureParams, ListErasuresParams, RunErasureParams, CloseErasureParams, LiftErasureParams, ListDoNotContactParams, CreateDoNotContactParams, AddDoNotContactListParams, LiftDoNotContactParams, ListExpectationsParams, SetExpectationParams, ListFollowUpsParams, CountFollowUpsParams, GetFollowUpColleaguesParams, CreateFollowUpParams, HandOverFollowUpParams, AttemptFollowUpParams, ScheduleFollowUpParams, CloseFollowUpParams, ReopenFollowUpParams, ListTicksParams, ChangeTickParams, PlaceHoldParams, ListHoldsParams, ReleaseHoldParams, CreateUploadParams, ListUploadsParams, LookAtUploadParams, CheckUploadParams, CreateImportParams, ListImportsParams, UndoImportParams, CreateRetentionRuleParams, ListRetentionRulesParams, ChangeRetentionRuleParams, LiftRetentionRuleParams, ListRetentionRunsParams, CreateWebhookEndpointParams, UpdateWebhookEndpointParams, RotateWebhookSecretParams, ReplayWebhookEndpointParams, ResendWebhookDeliveryParams, ListWebhookDeliveriesParams } from './objects.d.ts';
export declare class RemovalsApi extends Operations {
    /** List removals. Lists the removals that can be restored, newest first. A removal stays in the list until it is restored or the log of changes no longer reaches back to it. */
    list(params?: ListRemovalsParams, options?: RequestOptions): ChangePages<Removal>;
    /** Read a removal. Returns a removal, while it can be restored. */
    retrieve(unique_identifier: string, options?: RequestOptions): Promise<Removal>;
    /** Restore a removal. Restores the removed record and everything that was removed with it, each in its last version and with its `unique_identifier`. If another record has its identifiers by now, it stays removed, the answer names it, and what belonged to it goes below the other one. If you are interrupted, send the request again: it continues where it stopped. The key needs the permissions `read` and `write`. */
    restore(unique_identifier: string, params?: RestoreRemovalParams, options?: RequestOptions): Promise<RestoredRemoval>;
}
export declare class ProposalsApi extends Operations {
    /** List proposals. Lists the open proposals: other values that sources sent for members that staff corrected, by resource, newest records first. */
    list(params?: ListProposalsParams, options?: RequestOptions): List<Proposal>;
    /** Accept a proposal. Stores the value that the source sent. The pin ends: from now on the source decides. Allowed for people with the permission `write`, and for keys with it that were created with `--allow pin`. */
    accept(unique_identifier: string, options?: RequestOptions): Promise<Proposal>;
    /** Keep what staff entered. Leaves the record as it is. The value that the source sent is remembered, and is not proposed again. Allowed for people with the permission `write`, and for keys with it that were created with `--allow pin`. */
    keep(unique_identifier: string, options?: RequestOptions): Promise<Proposal>;
}
export declare class LocationSettingsApi extends Operations {
    /** List the settings of locations. Returns the settings of each account, then those of the locations that have any, by `unique_identifier`. A location that is not in the list has the settings of its account. */
    list(params?: ListLocationSettingsParams, options?: RequestOptions): List<LocationSettings>;
}
export declare class SourcesApi extends Operations {
    /** List sources. Lists the sources of your accounts, in the order in which they were first seen. Lists of records can be filtered by `source`, and `expand[]=source` shows which source created a record and which changed it last. */
    list(params?: ListSourcesParams, options?: RequestOptions): List<Source>;
    /** Rename a source. Gives the source another name, which no other source of its account has. Needs a key of the whole account with the right `sources`. */
    patch(unique_identifier: string, name: UpdateSourceParams['name'], options?: RequestOptions): Promise<Source>;
    /** Merge a source into another one. Merges the source into another one of the account, with its records and its keys. This cannot be undone. Needs a key of the whole account with the right `sources`. */
    merge(unique_identifier: string, into: MergeSourceParams['into'], options?: RequestOptions): Promise<Source>;
}
export declare class SyncsApi extends Operations {
    /** Begin a sync. Begins a sync of a resource at a location, or in a whole account. Send everything that you have there with the header `Ledgerstone-Sync`, and finish it: what your source made there and did not send is removed. An open sync of the same source, resource and place is replaced. The key needs the permissions to write and to delete. */
    create(params: BeginSyncParams, options?: RequestOptions): Promise<Sync>;
    /** List syncs. Lists the syncs of the last 90 days, newest first. */
    list(params?: ListSyncsParams, options?: RequestOptions): List<Sync>;
    /** Read a sync. Answers a sync: what it removed, and what it left and why. */
    retrieve(unique_identifier: string, options?: RequestOptions): Promise<Sync>;
    /** Finish a sync. Removes what the source of the sync made there and did not send, with what belongs to it. Records that another source or a person made or changed last stay, and so do those with such records below them: `left` names them. Where something that was sent was not taken (`doubts`), or more would go than `at_most`, of the whole or at a location, nothing is removed. With `dry_run`, nothing is, and the sync stays open. Many removals go on after the answer, whose status is `finishing` then: send it again, or read the sync, until it is `finished`. Sending it again does no harm. */
    finish(unique_identifier: string, params?: FinishSyncParams, options?: RequestOptions): Promise<Sync>;
    /** Undo a sync. Restores what a sync removed, for 30 days after it began. Records whose identifiers others have by now stay removed, and what belonged to them goes below the others. What stays removed is in `left`, with the reason. It goes on after the answer where there is much to restore: the status is `undoing` then. Send it again, or read the sync, until it is `undone`. */
    undo(unique_identifier: string, options?: RequestOptions): Promise<Sync>;
}
export declare class RequestsApi extends Operations {
    /** List refused requests. Lists refused requests, and requests with refused rows, newest first: the last 10,000 of each key. They appear within seconds. Needs a key with the right `requests` that is not limited to locations. It sees requests with keys whose accounts are all among its own. Kept for 30 days. */
    list(params?: ListRequestsParams, options?: RequestOptions): List<RefusedRequest>;
}
export declare class ActivityApi extends Operations {
    /** List activity by hour. Counts requests and rows by hour, key, location, resource and outcome, by account, newest hour first. They appear within about ten seconds. Needs a key with the right `requests` that is not limited to locations. It sees requests with keys whose accounts are all among its own. Kept for 45 days. */
    list(params?: ListActivityParams, options?: RequestOptions): List<Activity>;
}
export declare class AuditApi extends Operations {
    /** List the audit. Lists who has seen or done what, newest first: what people opened, listed, searched, exported and administered, what API keys read in each hour, and the commands of operators. Entries appear within seconds and are kept for `AUDIT_DAYS`. Writes of records are in the log of changes. As `application/x-ndjson` the answer is the whole list, without `limit`. Needs the right `audit`, which no role has, in whole accounts; you see entries of these accounts, and those of people and keys whose accounts are all among them. */
    list(params?: ListAuditParams, options?: RequestOptions): List<AuditEntry>;
}
export declare class ErasuresApi extends Operations {
    /** Begin an erasure. Looks for the records of a person who asks to be forgotten, and answers them as `matches`: by phone numbers and email addresses in their own fields, by names as search finds them, and by identifiers. What has no index is looked through meanwhile, and what is found there is added: earlier versions, removed records, free-form text, and refused rows of imports. `looked` is `everywhere` when that is through. Nothing is erased yet. What you send of the person is stored encrypted, until the erasure ends. */
    create(params: BeginErasureParams, options?: RequestOptions): Promise<Erasure>;
    /** List erasures. The erasures of the accounts of the key, newest first. */
    list(params?: ListErasuresParams, options?: RequestOptions): List<Erasure>;
    /** Read an erasure. Answers what was found, and what became of it. */
    retrieve(unique_identifier: string, options?: RequestOptions): Promise<Erasure>;
    /** Erase records. Erases the matches that you name, for good: the record, its history, what requests were answered with it, and rows of imports that hold something of it. Systems that follow the changes are told `deleted`. From then on the record is 410 `record_erased`, also for what sends it again. What other records belong to is erased after those: name them, too, or it is in `left`. It may be repeated, and goes on where it was interrupted. */
    run(unique_identifier: string, params: RunErasureParams, options?: RequestOptions): Promise<Erasure>;
    /** Close an erasure. Says why nothing more is erased, such as a law that wants the rest kept. */
    close(unique_identifier: string, basis: CloseErasureParams['basis'], options?: RequestOptions): Promise<Erasure>;
    /** Let an erased record be sent again. For a record that was erased by mistake. What it held is gone, and comes back only when its sender sends it again. */
    lift(unique_identifier: string, record: LiftErasureParams['record'], options?: RequestOptions): Promise<Erasure>;
    /** Get the certificate of an erasure. Answers what was done, as of now: the request, its dates, the erased records by resource, what waits and why, and until when backups can hold them. It has nothing of the person, and a seal that only the key of the service can make: `ledgerstone erasures verify` checks it. */
    certificate(unique_identifier: string, options?: RequestOptions): Promise<ErasureCertificate>;
    /** Acknowledge an erasure. Says that your system has purged what it had of the erased records: history, caches, search and backups. For systems that are told of changes by neither webhooks nor the feed, and for all that want to say so: the erasure and its certificate show it. Any key of the account acknowledges for itself. `erasure` of an `erased` change names the erasure. */
    acknowledge(unique_identifier: string, options?: RequestOptions): Promise<ErasureAcknowledgement>;
}
export declare class DoNotContactApi extends Operations {
    /** Ask who is in the register. Asks who is in the register: with `phone_number`, `email_address` or `record`, whether one person is, also where only a hash of them is kept; without, all entries of your accounts that stand, the newest first. An empty `data` says that nothing stands. A caller who is limited to some locations or resources asks of one person. */
    list(params?: ListDoNotContactParams, options?: RequestOptions): List<DoNotContact>;
    /** Read an entry. Answers the entry, also a lifted one. */
    retrieve(unique_identifier: string, options?: RequestOptions): Promise<DoNotContact>;
    /** Enter somebody. Enters a phone number, an email address, or the person of a `record`: its phone numbers and email addresses, and the record itself, which is answered. It may be repeated: an entry that stands already is updated. From then on `expand[]=do_not_contact` of records is true, and nobody can work on follow-ups of the person. */
    create(params?: CreateDoNotContactParams, options?: RequestOptions): Promise<DoNotContact>;
    /** Enter a list. Enters up to 1000 phone numbers and email addresses: a list of your own, or what a provider sends. What is neither is told in `refused`, and the rest is entered. It may be repeated: an entry that stands already is updated. */
    addMany(params: AddDoNotContactListParams, options?: RequestOptions): Promise<DoNotContactAdded>;
    /** Lift an entry. Says that the person may be contacted again: the entry is kept, with when, why and by whom. Other entries of the same value are lifted with it, and those of the records that have it. Lifting it again does nothing. */
    lift(unique_identifier: string, reason: LiftDoNotContactParams['reason'], options?: RequestOptions): Promise<DoNotContact>;
}
export declare class ExpectationsApi extends Operations {
    /** List expectations. Lists how often records are expected from each source at each location, and whether they arrive. Expectations are learned from the activity of six weeks and apply at once; they can be confirmed, changed or turned off. States are updated once a minute. Needs a key with the right `requests` that is not limited to locations. */
    list(params?: ListExpectationsParams, options?: RequestOptions): List<Expectation>;
    /** Set an expectation. Sets how often records are expected from a source at a location. Without `hours` it confirms the learned ones. Missing records are counted from then on. Needs a key of the whole account with the right `sources`. */
    create(params: SetExpectationParams, options?: RequestOptions): Promise<Expectation>;
    /** Forget an expectation. Forgets it. If the source is regular, it is learned again within a day: to expect nothing, set its status to `off`. Needs a key of the whole account with the right `sources`. */
    remove(unique_identifier: string, options?: RequestOptions): Promise<RemovedExpectation>;
}
export declare class FollowUpsApi extends Operations {
    /** List follow-ups. Lists follow-ups of your locations, the first due first. They are opened within a second or two by what arrives: a card that asks for a call, a visitor or next of kin who turns interested in pre-planning, an arrangement that is begun. What is imported, added by people in the console, sent in the first sync of a source, or older than 14 days opens none. The first request for an account begins that. */
    list(params?: ListFollowUpsParams, options?: RequestOptions): List<FollowUp>;
    /** Count follow-ups. Counts the follow-ups of your locations that are not closed, and how many of these are overdue, by location and reason. */
    counts(params?: CountFollowUpsParams, options?: RequestOptions): Promise<FollowUpCounts>;
    /** List whom follow-ups can be handed over to. Lists the people who sign in and may work on follow-ups of that record: those with the right, at its location. */
    colleagues(params: GetFollowUpColleaguesParams, options?: RequestOptions): Promise<FollowUpColleagues>;
    /** Read a follow-up. Answers the follow-up. */
    retrieve(unique_identifier: string, options?: RequestOptions): Promise<FollowUp>;
    /** Begin a follow-up. Begins a follow-up of a mail reply, a visitor, a next of kin or an arrangement by hand. It is yours then, or that of the `owner` you name. A record has one that is not closed at most. */
    create(params: CreateFollowUpParams, options?: RequestOptions): Promise<FollowUp>;
    /** Claim a follow-up. Makes it yours. Of two at the same time one has it, and the other is told who. A claim ends after 24 hours in which its owner does nothing about it, and when its owner may no longer work on it. */
    claim(unique_identifier: string, options?: RequestOptions): Promise<FollowUp>;
    /** Release a follow-up. Leaves it to others, also what somebody else has claimed. */
    release(unique_identifier: string, options?: RequestOptions): Promise<FollowUp>;
    /** Hand over a follow-up. Makes it that of a colleague, also what somebody else has claimed. It stays theirs until it is due, and for 24 hours at least, unless they may no longer work on it. */
    handOver(unique_identifier: string, params: HandOverFollowUpParams, options?: RequestOptions): Promise<FollowUp>;
    /** Report an attempt. Adds an attempt to reach the person; a follow-up that nobody has claimed is yours then. */
    attempt(unique_identifier: string, params: AttemptFollowUpParams, options?: RequestOptions): Promise<FollowUp>;
    /** Schedule a follow-up. Says when to try again. */
    schedule(unique_identifier: string, params: ScheduleFollowUpParams, options?: RequestOptions): Promise<FollowUp>;
    /** Close a follow-up. Closes it with its outcome. After `not_now` it is open again at `next_at`. `do_not_contact` is remembered for the phone numbers and email addresses of the record: other follow-ups with one of them are seen as closed so for as long, none of them can be worked on, and none is opened. */
    close(unique_identifier: string, params: CloseFollowUpParams, options?: RequestOptions): Promise<FollowUp>;
    /** Reopen a follow-up. Opens a closed one again. What was closed with `do_not_contact` is lifted by it. */
    reopen(unique_identifier: string, reason: ReopenFollowUpParams['reason'], options?: RequestOptions): Promise<FollowUp>;
}
export declare class TicksApi extends Operations {
    /** List ticks. Lists ticks on mail cards that are about calls but do not say what the person wants, such as *Phone number is right*. Say once what each means. Needs a key of the whole account. */
    list(params?: ListTicksParams, options?: RequestOptions): List<Tick>;
    /** Say what a tick means. Says what a tick means on every card that has it, however its name is spelt. New cards are read so at once, and existing ones within seconds: `call` opens follow-ups for cards of the last 14 days; `no_call` and `no_contact` enter everybody who ticked it in the register of whom nobody is to contact. You can change it later: entries stay until they are lifted, and follow-ups until they are closed. */
    patch(unique_identifier: string, meaning: ChangeTickParams['meaning'], options?: RequestOptions): Promise<Tick>;
}
export declare class HoldsApi extends Operations {
    /** Place a hold. Keeps a record from being forgotten, with all that belongs to it, also what arrives later: it is not removed, erased or taken away with its account, and the log of its account is kept beyond `HISTORY_DAYS`. It can still be changed; earlier versions stay in its history. What is refused meanwhile is 409 `record_held`. */
    create(params: PlaceHoldParams, options?: RequestOptions): Promise<Hold>;
    /** List holds. The holds of the accounts of the key, newest first, also released ones. */
    list(params?: ListHoldsParams, options?: RequestOptions): List<Hold>;
    /** Read a hold. Answers the hold, also a released one. */
    retrieve(unique_identifier: string, options?: RequestOptions): Promise<Hold>;
    /** Release a hold. Ends a hold. What waited for it goes on within a minute: erasures are finished, and old history goes. Another hold on the same record lasts. Releasing it again does nothing. */
    release(unique_identifier: string, reason: ReleaseHoldParams['reason'], options?: RequestOptions): Promise<Hold>;
}
export declare class UploadsApi extends Operations {
    /** Upload a file. Takes a CSV, TSV, XLSX or NDJSON file as it is, up to 32 MiB, and keeps it for an hour, so that it can be looked at, checked and imported. Only the key that sent it sees it. The same file again is the same upload. A key has room for 10 files of 64 MiB together: the oldest go. */
    create(file: Uint8Array, params: CreateUploadParams, options?: RequestOptions): Promise<Upload>;
    /** List uploads. Lists the files that this key has sent, and that are kept still. */
    list(params?: ListUploadsParams, options?: RequestOptions): List<Upload>;
    /** Read an upload. Returns what is known of the file, and when it goes. */
    retrieve(unique_identifier: string, options?: RequestOptions): Promise<Upload>;
    /** Delete an upload. Removes the file before its hour has passed. What was imported from it stays. */
    remove(unique_identifier: string, options?: RequestOptions): Promise<RemovedUpload>;
    /** Look at an upload. Says how the file is read, what its columns are taken for, and what every row still needs. Where the file leaves open which sheet or delimiter is meant, the answer asks. */
    look(unique_identifier: string, params: LookAtUploadParams, options?: RequestOptions): Promise<ImportLook>;
    /** Check an upload. Goes through all rows as an import does, and writes nothing: how many records would be created and changed, and which rows would be refused. */
    check(unique_identifier: string, params: CheckUploadParams, options?: RequestOptions): Promise<ImportResult>;
}
export declare class ImportsApi extends Operations {
    /** Import an upload. Writes each row as an upsert, and answers when all are done. A row that is refused stops no other. If the connection breaks, the import stops: the same request goes on where it stopped, also after the file was sent again. A key that is limited to locations imports there alone. */
    create(params: CreateImportParams, options?: RequestOptions): Promise<ImportResult>;
    /** List imports. Lists imports into accounts of the key, newest first: those of commands and people, too. A key that is limited to locations or resources sees its own. */
    list(params?: ListImportsParams, options?: RequestOptions): List<Import>;
    /** Read an import. Returns the import: its files, its status, and how many rows came to what. */
    retrieve(unique_identifier: string, options?: RequestOptions): Promise<Import>;
    /** Read the refused rows of an import. Returns the refused rows as CSV, up to 1 MiB, each with its number and the reason. Corrected, they can be uploaded as they are. They are kept for seven days. */
    rejected(unique_identifier: string, options?: RequestOptions): Promise<ImportRejected>;
    /** Undo an import. Removes the records that the import created, and gives those that it changed what they held before. A record that has changed since stays as it is. With `dry_run` it only says what would happen. It is for keys of whole accounts that may also delete, and safe to repeat. */
    undo(unique_identifier: string, params?: UndoImportParams, options?: RequestOptions): Promise<ImportUndo>;
}
export declare class RetentionRulesApi extends Operations {
    /** Create a retention rule. Records of a resource are to go when they are old enough. The rule begins `paused`: ask for a preview, look at it, and enable the rule. An account has at most 100 rules. */
    create(params: CreateRetentionRuleParams, options?: RequestOptions): Promise<RetentionRule>;
    /** List retention rules. The rules of the accounts of the key, newest first. */
    list(params?: ListRetentionRulesParams, options?: RequestOptions): List<RetentionRule>;
    /** Read a retention rule. Answers the rule, with its last preview and its last run. */
    retrieve(unique_identifier: string, options?: RequestOptions): Promise<RetentionRule>;
    /** Change a retention rule. What you leave out stays; `null` takes `location`, `unless` or `at_least_days` away. The rule is `paused` then, and needs a new preview. */
    patch(unique_identifier: string, params?: ChangeRetentionRuleParams, options?: RequestOptions): Promise<RetentionRule>;
    /** Delete a retention rule. The rule ends, and the reports of its runs go. What it removed stays removed, and refused where it is sent again by a rule of its own times: see `lift`. */
    remove(unique_identifier: string, options?: RequestOptions): Promise<RemovedRetentionRule>;
    /** Preview a retention rule. Counts what the rule would remove now, by year and location, and removes nothing. It is counted in the background: read the rule until the `status` of its `preview` is `ready`. */
    preview(unique_identifier: string, options?: RequestOptions): Promise<RetentionRule>;
    /** Enable a retention rule. The rule runs within a minute, and then once a day. It needs a preview of the last day. A run that finds twice as much as was to be expected removes nothing: the rule is `stopped` then. */
    enable(unique_identifier: string, options?: RequestOptions): Promise<RetentionRule>;
    /** Pause a retention rule. A run that is under way stops within seconds. Pausing it again does nothing. */
    pause(unique_identifier: string, options?: RequestOptions): Promise<RetentionRule>;
    /** Let removed records be sent again. For records that a rule by `inserted_at` or `updated_at` removed by mistake, also after the rule was changed or deleted. What they held is gone, and comes back only when their sender sends it again. Up to 1,000 records with each request, and none that a run is removing at this moment. */
    lift(unique_identifier: string, params?: LiftRetentionRuleParams, options?: RequestOptions): Promise<RetentionLift>;
    /** List runs of a retention rule. What the runs of a rule removed and left, newest first. */
    runs(unique_identifier: string, params?: ListRetentionRunsParams, options?: RequestOptions): List<RetentionRun>;
}
export declare class SelfTestsApi extends Operations {
    /** Open a self-test. Checks the requests of this key of a test account for an hour. It refuses some of them on purpose, as the checks say. Another self-test of the same key ends it. */
    create(options?: RequestOptions): Promise<SelfTest>;
    /** List self-tests. Lists the self-tests of the accounts of the key: the last 20 of each account, kept for 30 days. */
    list(options?: RequestOptions): Promise<readonly SelfTest[]>;
    /** Read a self-test. Returns the checks with their results. A browser gets a page that follows the self-test: sign in with the API key as the user name. */
    retrieve(unique_identifier: string, options?: RequestOptions): Promise<SelfTest>;
}
export declare class WebhookEndpointsApi extends Operations {
    /** List webhook endpoints. Lists all endpoints that the key may see, newest first. Needs a key with the right `webhooks` and the permission to read. A key that is limited to locations or resources sees only endpoints of its own. */
    list(options?: RequestOptions): Promise<readonly WebhookEndpoint[]>;
    /** Create a webhook endpoint. Sends the changes of the account to the URL from now on, signed according to Standard Webhooks. The secret is shown once, in this answer. An account has at most 20 endpoints. Needs a key with the right `webhooks` and the permission to read. A key that is limited to locations or resources sees only endpoints of its own. */
    create(params: CreateWebhookEndpointParams, options?: RequestOptions): Promise<WebhookEndpoint & Required<Pick<WebhookEndpoint, 'secret'>>>;
    /** Read a webhook endpoint. Returns the endpoint, without its secret. Needs a key with the right `webhooks` and the permission to read. A key that is limited to locations or resources sees only endpoints of its own. */
    retrieve(unique_identifier: string, options?: RequestOptions): Promise<WebhookEndpoint>;
    /** Change a webhook endpoint. Omitted members stay. `"status": "enabled"` also sends the changes that it missed while it was paused or disabled; from then on the permissions of the key that enables it apply. Needs a key with the right `webhooks` and the permission to read. A key that is limited to locations or resources sees only endpoints of its own. */
    patch(unique_identifier: string, params?: UpdateWebhookEndpointParams, options?: RequestOptions): Promise<WebhookEndpoint>;
    /** Delete a webhook endpoint. Nothing more is sent to it. Needs a key with the right `webhooks` and the permission to read. A key that is limited to locations or resources sees only endpoints of its own. */
    remove(unique_identifier: string, options?: RequestOptions): Promise<RemovedWebhookEndpoint>;
    /** Rotate the secret of a webhook endpoint. Returns the endpoint with a new secret, which is shown once. Until the old secret expires, notifications are signed with both. Needs a key with the right `webhooks` and the permission to read. A key that is limited to locations or resources sees only endpoints of its own. */
    rotateSecret(unique_identifier: string, params?: RotateWebhookSecretParams, options?: RequestOptions): Promise<WebhookEndpoint & Required<Pick<WebhookEndpoint, 'secret'>>>;
    /** Send changes again. Resends all changes after a change or a time, as far as the log of changes goes back, with the same `webhook-id`s. Needs a key with the right `webhooks` and the permission to read. A key that is limited to locations or resources sees only endpoints of its own. */
    replay(unique_identifier: string, params?: ReplayWebhookEndpointParams, options?: RequestOptions): Promise<WebhookEndpoint>;
    /** Send one change again. Sends again a change whose delivery was attempted in the last 30 days. Needs a key with the right `webhooks` and the permission to read. A key that is limited to locations or resources sees only endpoints of its own. */
    resend(unique_identifier: string, change: ResendWebhookDeliveryParams['change'], options?: RequestOptions): Promise<WebhookDelivery>;
    /** Test a webhook endpoint. Sends a notification `webhook_endpoint.test` at once, and returns the outcome. Needs a key with the right `webhooks` and the permission to read. A key that is limited to locations or resources sees only endpoints of its own. */
    test(unique_identifier: string, options?: RequestOptions): Promise<WebhookTest>;
    /** List deliveries. Lists the deliveries of the last 30 days, newest change first. Needs a key with the right `webhooks` and the permission to read. A key that is limited to locations or resources sees only endpoints of its own. */
    deliveries(unique_identifier: string, params?: ListWebhookDeliveriesParams, options?: RequestOptions): List<WebhookDelivery>;
}
