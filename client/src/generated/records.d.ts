// Generated from src/core/resources/ by "npm run generate"; do not edit.

/** The sources of a record. */
export type RecordSource = {
  /** The source that made it; null: unknown */
  created_by: {
    /** Identifier of the source */
    unique_identifier: string;
    /** Its name */
    name: string;
  } | null;
  /** The source that changed it last; null: unknown */
  changed_by: {
    /** Identifier of the source */
    unique_identifier: string;
    /** Its name */
    name: string;
  } | null;
  /** The dotted names of the members that staff corrected */
  pinned: string[];
};

/** What lists show of an account. */
export type AccountListEntry = {
  /** Identifier of the record, given by the service */
  unique_identifier: string;
  /** Name of the account */
  name: string;
  /** When the record was created, in UTC */
  inserted_at: string;
  /** When the record was last changed, in UTC */
  updated_at: string;
};

/** Names the account that a record belongs to, in exactly one way. */
export type AccountReference =
  | {
      /** The unique_identifier of the account */
      readonly account_unique_identifier: string;
    };

/** Parameters of `api.accounts.list`; records match all filters. */
export type AccountListParams = {
  /** Maximum number of records to return */
  readonly limit?: number | undefined;
  /** unique_identifier of the record after which the page starts */
  readonly starting_after?: string | undefined;
  /** unique_identifier of the record before which the page ends */
  readonly ending_before?: string | undefined;
  /** `total` adds the number of records in the whole list, counted up to 10,000 */
  readonly include?: readonly 'total'[] | undefined;
  /** The field to sort by, in ascending order; a minus sign before it reverses the order */
  readonly order?: 'name' | '-name' | undefined;
  /** When the account was created */
  readonly inserted_at?: string | {
    /** This or later */
    readonly gte?: string | undefined;
    /** Later than this */
    readonly gt?: string | undefined;
    /** This or earlier */
    readonly lte?: string | undefined;
    /** Earlier than this */
    readonly lt?: string | undefined;
  } | undefined;
  /** When the account was last changed */
  readonly updated_at?: string | {
    /** This or later */
    readonly gte?: string | undefined;
    /** Later than this */
    readonly gt?: string | undefined;
    /** This or earlier */
    readonly lte?: string | undefined;
    /** Earlier than this */
    readonly lt?: string | undefined;
  } | undefined;
};

/** Objects that `expand` can add. */
export type AccountExpandable = {};

/** One service provider (a funeral home location): the anchor to which other records attach. */
export type FuneralLocation = {
  /** Type name of the object */
  object: 'location';
  /** Identifier of the record, given by the service */
  unique_identifier: string;
  /** Your own identifier */
  external_identifier: string;
  /** Where the record belongs */
  account_unique_identifier: string;
  /** Name of the location */
  location_name: string;
  /** More of the record; always there, empty when it holds nothing */
  public_data: { [name: string]: unknown };
  /** When the record was created, in UTC */
  inserted_at: string;
  /** When the record was last changed, in UTC */
  updated_at: string;
};

/** What lists show of a location. */
export type FuneralLocationListEntry = {
  /** Identifier of the record, given by the service */
  unique_identifier: string;
  /** Name of the location */
  name: string;
  /** More of the record; always there, empty when it holds nothing */
  public_data: { [name: string]: unknown };
  /** When the record was created, in UTC */
  inserted_at: string;
  /** When the record was last changed, in UTC */
  updated_at: string;
};

/** What is answered in place of a location that was removed. */
export type FuneralLocationDeleted = {
  /** Type name of the object */
  object: 'location';
  /** Identifier of the record, given by the service */
  unique_identifier: string;
  /** Always true: the record was removed */
  deleted: true;
};

/** The identifiers of a location and of what it belongs to. */
export type FuneralLocationIdentifiers = {
  /** Identifier given by the service */
  unique_identifier?: string;
  /** Your own identifier */
  external_identifier?: string;
  /** Identifier given by the service */
  account_unique_identifier?: string;
};

/** Parameters of `api.locations.upsert`. `null` removes an optional field. */
export type FuneralLocationUpsert = AccountReference & {
  /** Your own identifier of the location */
  readonly external_identifier: string;
  /** Name of the location */
  readonly location_name: string;
};

/** Parameters of `api.locations.patch`: omitted fields stay, `null` removes. */
export type FuneralLocationPatch = {
  /** The unique_identifier of the account that the location belongs to */
  readonly account_unique_identifier?: string | undefined;
  /** Your own identifier of the location */
  readonly external_identifier?: string | undefined;
  /** Name of the location */
  readonly location_name?: string | undefined;
};

/** Names the location by its parent and your own identifier. */
export type FuneralLocationNamed = AccountReference & { readonly external_identifier: string };

/** Names the location that a record belongs to, in exactly one way. */
export type FuneralLocationReference =
  | {
      /** The unique_identifier of the location */
      readonly location_unique_identifier: string;
      readonly location_external_identifier?: undefined;
      readonly account_unique_identifier?: undefined;
    }
  | {
      /** Your own identifier of the location, in place of location_unique_identifier */
      readonly location_external_identifier: string;
      /** The unique_identifier of the account that the location belongs to; together with location_external_identifier */
      readonly account_unique_identifier: string;
      readonly location_unique_identifier?: undefined;
    };

/** Parameters of `api.locations.list`; records match all filters. */
export type FuneralLocationListParams = {
  /** Maximum number of records to return */
  readonly limit?: number | undefined;
  /** unique_identifier of the record after which the page starts */
  readonly starting_after?: string | undefined;
  /** unique_identifier of the record before which the page ends */
  readonly ending_before?: string | undefined;
  /** `total` adds the number of records in the whole list, counted up to 10,000 */
  readonly include?: readonly 'total'[] | undefined;
  /** The field to sort by, in ascending order; a minus sign before it reverses the order */
  readonly order?: 'name' | '-name' | undefined;
  /** The unique_identifier of the account that the location belongs to */
  readonly account_unique_identifier?: string | undefined;
  /** Your own identifier of the location */
  readonly external_identifier?: string | undefined;
  /** Only records for which a source proposes another value than the one that staff entered */
  readonly proposed?: true | undefined;
  /** When the location was created */
  readonly inserted_at?: string | {
    /** This or later */
    readonly gte?: string | undefined;
    /** Later than this */
    readonly gt?: string | undefined;
    /** This or earlier */
    readonly lte?: string | undefined;
    /** Earlier than this */
    readonly lt?: string | undefined;
  } | undefined;
  /** When the location was last changed */
  readonly updated_at?: string | {
    /** This or later */
    readonly gte?: string | undefined;
    /** Later than this */
    readonly gt?: string | undefined;
    /** This or earlier */
    readonly lte?: string | undefined;
    /** Earlier than this */
    readonly lt?: string | undefined;
  } | undefined;
  /** Only records at a location of this region, which is in the settings of locations and accounts */
  readonly region?: string | undefined;
  /** Only records that this source created, by its unique_identifier; `me`: the source of the API key */
  readonly source?: string | undefined;
};

/** Objects that `expand` can add. */
export type FuneralLocationExpandable = {
  account: AccountListEntry;
  identifiers: FuneralLocationIdentifiers;
  source: RecordSource;
};

/** A service honoring a deceased person, held by a location. */
export type FuneralEvent = {
  /** Type name of the object */
  object: 'event';
  /** Identifier of the record, given by the service */
  unique_identifier: string;
  /** Your own identifier */
  external_identifier: string;
  /** Where the record belongs */
  location_unique_identifier: string;
  /** Name of the event */
  event_name: string;
  /** Date and time of the event, with its offset from UTC */
  event_datetime: string;
  /** More of the record; always there, empty when it holds nothing */
  public_data: {
    /** The deceased person */
    person?: {
      /** Full name of the deceased person */
      full_name: string;
      /** Date of birth, not in the future */
      date_of_birth?: string;
      /** Date of death, not before the date of birth and not in the future */
      date_of_death?: string;
    };
    /** Free-form metadata, at most 10 KB */
    additional_event_metadata?: { [name: string]: unknown };
  };
  /** When the record was created, in UTC */
  inserted_at: string;
  /** When the record was last changed, in UTC */
  updated_at: string;
};

/** What is answered in place of an event that was removed. */
export type FuneralEventDeleted = {
  /** Type name of the object */
  object: 'event';
  /** Identifier of the record, given by the service */
  unique_identifier: string;
  /** Always true: the record was removed */
  deleted: true;
};

/** The identifiers of an event and of what it belongs to. */
export type FuneralEventIdentifiers = {
  /** Identifier given by the service */
  unique_identifier?: string;
  /** Your own identifier */
  external_identifier?: string;
  /** Identifier given by the service */
  location_unique_identifier?: string;
  /** Your own identifier */
  location_external_identifier?: string;
  /** Identifier given by the service */
  account_unique_identifier?: string;
};

/** Parameters of `api.events.upsert`. `null` removes an optional field. */
export type FuneralEventUpsert = FuneralLocationReference & {
  /** Your own identifier of the event */
  readonly external_identifier: string;
  /** Name of the event */
  readonly event_name: string;
  /** Date and time of the event, with its offset from UTC */
  readonly event_datetime: string;
  /** The deceased person */
  readonly person?: {
    /** Full name of the deceased person */
    readonly full_name: string;
    /** Date of birth, not in the future */
    readonly date_of_birth?: string | null | undefined;
    /** Date of death, not before the date of birth and not in the future */
    readonly date_of_death?: string | null | undefined;
  } | null | undefined;
  /** Free-form metadata, at most 10 KB */
  readonly additional_event_metadata?: { readonly [name: string]: unknown } | null | undefined;
};

/** Parameters of `api.events.patch`: omitted fields stay, `null` removes. */
export type FuneralEventPatch = {
  /** The unique_identifier of the location that the event belongs to */
  readonly location_unique_identifier?: string | undefined;
  /** Your own identifier of the event */
  readonly external_identifier?: string | undefined;
  /** Name of the event */
  readonly event_name?: string | undefined;
  /** Date and time of the event, with its offset from UTC */
  readonly event_datetime?: string | undefined;
  /** The deceased person */
  readonly person?: {
    /** Full name of the deceased person */
    readonly full_name?: string | undefined;
    /** Date of birth, not in the future */
    readonly date_of_birth?: string | null | undefined;
    /** Date of death, not before the date of birth and not in the future */
    readonly date_of_death?: string | null | undefined;
  } | null | undefined;
  /** Free-form metadata, at most 10 KB */
  readonly additional_event_metadata?: { readonly [name: string]: unknown } | null | undefined;
  /** Your own identifier of the location, in place of location_unique_identifier */
  readonly location_external_identifier?: string | undefined;
  /** The unique_identifier of the account that the location belongs to; together with location_external_identifier */
  readonly account_unique_identifier?: string | undefined;
};

/** Names the event by its parent and your own identifier. */
export type FuneralEventNamed = FuneralLocationReference & { readonly external_identifier: string };

/** Names the event that a record belongs to, in exactly one way. */
export type FuneralEventReference =
  | {
      /** The unique_identifier of the event */
      readonly event_unique_identifier: string;
      readonly event_external_identifier?: undefined;
      readonly location_unique_identifier?: undefined;
      readonly location_external_identifier?: undefined;
      readonly account_unique_identifier?: undefined;
    }
  | {
      /** Your own identifier of the event, in place of event_unique_identifier */
      readonly event_external_identifier: string;
      /** The unique_identifier of the location that the event belongs to; together with event_external_identifier */
      readonly location_unique_identifier: string;
      readonly event_unique_identifier?: undefined;
      readonly location_external_identifier?: undefined;
      readonly account_unique_identifier?: undefined;
    }
  | {
      /** Your own identifier of the event, in place of event_unique_identifier */
      readonly event_external_identifier: string;
      /** Your own identifier of the location, in place of location_unique_identifier */
      readonly location_external_identifier: string;
      /** The unique_identifier of the account that the location belongs to; together with location_external_identifier */
      readonly account_unique_identifier: string;
      readonly event_unique_identifier?: undefined;
      readonly location_unique_identifier?: undefined;
    };

/** Parameters of `api.events.list`; records match all filters. */
export type FuneralEventListParams = {
  /** Maximum number of records to return */
  readonly limit?: number | undefined;
  /** unique_identifier of the record after which the page starts */
  readonly starting_after?: string | undefined;
  /** unique_identifier of the record before which the page ends */
  readonly ending_before?: string | undefined;
  /** `total` adds the number of records in the whole list, counted up to 10,000 */
  readonly include?: readonly 'total'[] | undefined;
  /** The field to sort by, in ascending order; a minus sign before it reverses the order */
  readonly order?: 'event_datetime' | '-event_datetime' | undefined;
  /** The unique_identifier of the location that the event belongs to */
  readonly location_unique_identifier?: string | undefined;
  /** Your own identifier of the event */
  readonly external_identifier?: string | undefined;
  /** Date and time of the event, with its offset from UTC */
  readonly event_datetime?: string | {
    /** This or later */
    readonly gte?: string | undefined;
    /** Later than this */
    readonly gt?: string | undefined;
    /** This or earlier */
    readonly lte?: string | undefined;
    /** Earlier than this */
    readonly lt?: string | undefined;
  } | undefined;
  /** Only records for which a source proposes another value than the one that staff entered */
  readonly proposed?: true | undefined;
  /** When the event was created */
  readonly inserted_at?: string | {
    /** This or later */
    readonly gte?: string | undefined;
    /** Later than this */
    readonly gt?: string | undefined;
    /** This or earlier */
    readonly lte?: string | undefined;
    /** Earlier than this */
    readonly lt?: string | undefined;
  } | undefined;
  /** When the event was last changed */
  readonly updated_at?: string | {
    /** This or later */
    readonly gte?: string | undefined;
    /** Later than this */
    readonly gt?: string | undefined;
    /** This or earlier */
    readonly lte?: string | undefined;
    /** Earlier than this */
    readonly lt?: string | undefined;
  } | undefined;
  /** Only records at a location of this region, which is in the settings of locations and accounts */
  readonly region?: string | undefined;
  /** Only records that this source created, by its unique_identifier; `me`: the source of the API key */
  readonly source?: string | undefined;
  /** Your own identifier of the location, in place of location_unique_identifier */
  readonly location_external_identifier?: string | undefined;
  /** The unique_identifier of the account that the location belongs to; together with location_external_identifier */
  readonly account_unique_identifier?: string | undefined;
};

/** Objects that `expand` can add. */
export type FuneralEventExpandable = {
  location: FuneralLocation;
  account: AccountListEntry;
  identifiers: FuneralEventIdentifiers;
  source: RecordSource;
};

/** Someone who administers an event, typically a next-of-kin family member. */
export type EventAdministrator = {
  /** Type name of the object */
  object: 'event_administrator';
  /** Identifier of the record, given by the service */
  unique_identifier: string;
  /** Your own identifier */
  external_identifier: string;
  /** Where the record belongs */
  location_unique_identifier: string;
  /** Name of the person */
  person_full_name: string;
  /** Phone number in E.164 form */
  person_phone_number: string;
  /** More of the record; always there, empty when it holds nothing */
  public_data: {
    /** Relationship to the deceased, such as spouse, child or parent */
    person_relationship_to_deceased?: string;
    /** Interest in pre-planning */
    person_interested_in_pre_planning?: boolean;
    /** Email address */
    person_email_address?: string;
  };
  /** When the record was created, in UTC */
  inserted_at: string;
  /** When the record was last changed, in UTC */
  updated_at: string;
};

/** What is answered in place of an event administrator that was removed. */
export type EventAdministratorDeleted = {
  /** Type name of the object */
  object: 'event_administrator';
  /** Identifier of the record, given by the service */
  unique_identifier: string;
  /** Always true: the record was removed */
  deleted: true;
};

/** The identifiers of an event administrator and of what it belongs to. */
export type EventAdministratorIdentifiers = {
  /** Identifier given by the service */
  unique_identifier?: string;
  /** Your own identifier */
  external_identifier?: string;
  /** Identifier given by the service */
  event_unique_identifier?: string;
  /** Your own identifier */
  event_external_identifier?: string;
  /** Identifier given by the service */
  location_unique_identifier?: string;
  /** Your own identifier */
  location_external_identifier?: string;
  /** Identifier given by the service */
  account_unique_identifier?: string;
};

/** Parameters of `api.event_administrators.upsert`. `null` removes an optional field. */
export type EventAdministratorUpsert = FuneralEventReference & {
  /** Your own identifier of the event administrator */
  readonly external_identifier: string;
  /** Name of the person */
  readonly person_full_name: string;
  /** Phone number in E.164 form */
  readonly person_phone_number: string;
  /** Relationship to the deceased, such as spouse, child or parent */
  readonly person_relationship_to_deceased?: string | null | undefined;
  /** Interest in pre-planning */
  readonly person_interested_in_pre_planning?: boolean | null | undefined;
  /** Email address */
  readonly person_email_address?: string | null | undefined;
};

/** Parameters of `api.event_administrators.patch`: omitted fields stay, `null` removes. */
export type EventAdministratorPatch = {
  /** The unique_identifier of the event that the event administrator belongs to */
  readonly event_unique_identifier?: string | undefined;
  /** Your own identifier of the event administrator */
  readonly external_identifier?: string | undefined;
  /** Name of the person */
  readonly person_full_name?: string | undefined;
  /** Phone number in E.164 form */
  readonly person_phone_number?: string | undefined;
  /** Relationship to the deceased, such as spouse, child or parent */
  readonly person_relationship_to_deceased?: string | null | undefined;
  /** Interest in pre-planning */
  readonly person_interested_in_pre_planning?: boolean | null | undefined;
  /** Email address */
  readonly person_email_address?: string | null | undefined;
  /** Your own identifier of the event, in place of event_unique_identifier */
  readonly event_external_identifier?: string | undefined;
  /** The unique_identifier of the location that the event belongs to; together with event_external_identifier */
  readonly location_unique_identifier?: string | undefined;
  /** Your own identifier of the location, in place of location_unique_identifier */
  readonly location_external_identifier?: string | undefined;
  /** The unique_identifier of the account that the location belongs to; together with location_external_identifier */
  readonly account_unique_identifier?: string | undefined;
};

/** Names the event administrator by its parent and your own identifier. */
export type EventAdministratorNamed = FuneralEventReference & { readonly external_identifier: string };

/** Parameters of `api.event_administrators.list`; records match all filters. */
export type EventAdministratorListParams = {
  /** Maximum number of records to return */
  readonly limit?: number | undefined;
  /** unique_identifier of the record after which the page starts */
  readonly starting_after?: string | undefined;
  /** unique_identifier of the record before which the page ends */
  readonly ending_before?: string | undefined;
  /** `total` adds the number of records in the whole list, counted up to 10,000 */
  readonly include?: readonly 'total'[] | undefined;
  /** The unique_identifier of the event that the event administrator belongs to */
  readonly event_unique_identifier?: string | undefined;
  /** The unique_identifier of the location that the event administrator belongs to */
  readonly location_unique_identifier?: string | undefined;
  /** Your own identifier of the event administrator */
  readonly external_identifier?: string | undefined;
  /** Phone number in E.164 form */
  readonly person_phone_number?: string | undefined;
  /** Email address */
  readonly person_email_address?: string | undefined;
  /** Interest in pre-planning */
  readonly person_interested_in_pre_planning?: true | undefined;
  /** Only records for which a source proposes another value than the one that staff entered */
  readonly proposed?: true | undefined;
  /** When the event administrator was created */
  readonly inserted_at?: string | {
    /** This or later */
    readonly gte?: string | undefined;
    /** Later than this */
    readonly gt?: string | undefined;
    /** This or earlier */
    readonly lte?: string | undefined;
    /** Earlier than this */
    readonly lt?: string | undefined;
  } | undefined;
  /** When the event administrator was last changed */
  readonly updated_at?: string | {
    /** This or later */
    readonly gte?: string | undefined;
    /** Later than this */
    readonly gt?: string | undefined;
    /** This or earlier */
    readonly lte?: string | undefined;
    /** Earlier than this */
    readonly lt?: string | undefined;
  } | undefined;
  /** Only records at a location of this region, which is in the settings of locations and accounts */
  readonly region?: string | undefined;
  /** Only records that this source created, by its unique_identifier; `me`: the source of the API key */
  readonly source?: string | undefined;
  /** Only records of which this is so, or is not: whether its phone number, its email address or the record itself stands in the register of whom nobody is to contact */
  readonly do_not_contact?: boolean | undefined;
  /** Your own identifier of the event, in place of event_unique_identifier */
  readonly event_external_identifier?: string | undefined;
  /** Your own identifier of the location, in place of location_unique_identifier */
  readonly location_external_identifier?: string | undefined;
  /** The unique_identifier of the account that the location belongs to; together with location_external_identifier */
  readonly account_unique_identifier?: string | undefined;
};

/** Objects that `expand` can add. */
export type EventAdministratorExpandable = {
  event: FuneralEvent;
  location: FuneralLocation;
  account: AccountListEntry;
  identifiers: EventAdministratorIdentifiers;
  source: RecordSource;
  do_not_contact: boolean;
};

/** A visitor to an event, typically family or a friend. */
export type EventCheckInRecord = {
  /** Type name of the object */
  object: 'event_check_in_record';
  /** Identifier of the record, given by the service */
  unique_identifier: string;
  /** Your own identifier */
  external_identifier: string;
  /** Where the record belongs */
  location_unique_identifier: string;
  /** Name of the visitor */
  visitor_full_name: string;
  /** Phone number in E.164 form */
  visitor_phone_number: string;
  /** More of the record; always there, empty when it holds nothing */
  public_data: {
    /** Relationship to the deceased */
    visitor_relationship_to_deceased?: string;
    /** Interest in pre-planning */
    visitor_interested_in_pre_planning?: boolean;
    /** Email address */
    visitor_email_address?: string;
  };
  /** When the record was created, in UTC */
  inserted_at: string;
  /** When the record was last changed, in UTC */
  updated_at: string;
};

/** What is answered in place of an event check-in record that was removed. */
export type EventCheckInRecordDeleted = {
  /** Type name of the object */
  object: 'event_check_in_record';
  /** Identifier of the record, given by the service */
  unique_identifier: string;
  /** Always true: the record was removed */
  deleted: true;
};

/** The identifiers of an event check-in record and of what it belongs to. */
export type EventCheckInRecordIdentifiers = {
  /** Identifier given by the service */
  unique_identifier?: string;
  /** Your own identifier */
  external_identifier?: string;
  /** Identifier given by the service */
  event_unique_identifier?: string;
  /** Your own identifier */
  event_external_identifier?: string;
  /** Identifier given by the service */
  location_unique_identifier?: string;
  /** Your own identifier */
  location_external_identifier?: string;
  /** Identifier given by the service */
  account_unique_identifier?: string;
};

/** Parameters of `api.event_check_in_records.upsert`. `null` removes an optional field. */
export type EventCheckInRecordUpsert = FuneralEventReference & {
  /** Your own identifier of the event check-in record */
  readonly external_identifier: string;
  /** Name of the visitor */
  readonly visitor_full_name: string;
  /** Phone number in E.164 form */
  readonly visitor_phone_number: string;
  /** Relationship to the deceased */
  readonly visitor_relationship_to_deceased?: string | null | undefined;
  /** Interest in pre-planning */
  readonly visitor_interested_in_pre_planning?: boolean | null | undefined;
  /** Email address */
  readonly visitor_email_address?: string | null | undefined;
};

/** Parameters of `api.event_check_in_records.patch`: omitted fields stay, `null` removes. */
export type EventCheckInRecordPatch = {
  /** The unique_identifier of the event that the event check-in record belongs to */
  readonly event_unique_identifier?: string | undefined;
  /** Your own identifier of the event check-in record */
  readonly external_identifier?: string | undefined;
  /** Name of the visitor */
  readonly visitor_full_name?: string | undefined;
  /** Phone number in E.164 form */
  readonly visitor_phone_number?: string | undefined;
  /** Relationship to the deceased */
  readonly visitor_relationship_to_deceased?: string | null | undefined;
  /** Interest in pre-planning */
  readonly visitor_interested_in_pre_planning?: boolean | null | undefined;
  /** Email address */
  readonly visitor_email_address?: string | null | undefined;
  /** Your own identifier of the event, in place of event_unique_identifier */
  readonly event_external_identifier?: string | undefined;
  /** The unique_identifier of the location that the event belongs to; together with event_external_identifier */
  readonly location_unique_identifier?: string | undefined;
  /** Your own identifier of the location, in place of location_unique_identifier */
  readonly location_external_identifier?: string | undefined;
  /** The unique_identifier of the account that the location belongs to; together with location_external_identifier */
  readonly account_unique_identifier?: string | undefined;
};

/** Names the event check-in record by its parent and your own identifier. */
export type EventCheckInRecordNamed = FuneralEventReference & { readonly external_identifier: string };

/** Parameters of `api.event_check_in_records.list`; records match all filters. */
export type EventCheckInRecordListParams = {
  /** Maximum number of records to return */
  readonly limit?: number | undefined;
  /** unique_identifier of the record after which the page starts */
  readonly starting_after?: string | undefined;
  /** unique_identifier of the record before which the page ends */
  readonly ending_before?: string | undefined;
  /** `total` adds the number of records in the whole list, counted up to 10,000 */
  readonly include?: readonly 'total'[] | undefined;
  /** The unique_identifier of the event that the event check-in record belongs to */
  readonly event_unique_identifier?: string | undefined;
  /** The unique_identifier of the location that the event check-in record belongs to */
  readonly location_unique_identifier?: string | undefined;
  /** Your own identifier of the event check-in record */
  readonly external_identifier?: string | undefined;
  /** Phone number in E.164 form */
  readonly visitor_phone_number?: string | undefined;
  /** Email address */
  readonly visitor_email_address?: string | undefined;
  /** Interest in pre-planning */
  readonly visitor_interested_in_pre_planning?: true | undefined;
  /** Only records for which a source proposes another value than the one that staff entered */
  readonly proposed?: true | undefined;
  /** When the event check-in record was created */
  readonly inserted_at?: string | {
    /** This or later */
    readonly gte?: string | undefined;
    /** Later than this */
    readonly gt?: string | undefined;
    /** This or earlier */
    readonly lte?: string | undefined;
    /** Earlier than this */
    readonly lt?: string | undefined;
  } | undefined;
  /** When the event check-in record was last changed */
  readonly updated_at?: string | {
    /** This or later */
    readonly gte?: string | undefined;
    /** Later than this */
    readonly gt?: string | undefined;
    /** This or earlier */
    readonly lte?: string | undefined;
    /** Earlier than this */
    readonly lt?: string | undefined;
  } | undefined;
  /** Only records at a location of this region, which is in the settings of locations and accounts */
  readonly region?: string | undefined;
  /** Only records that this source created, by its unique_identifier; `me`: the source of the API key */
  readonly source?: string | undefined;
  /** Only records of which this is so, or is not: whether its phone number, its email address or the record itself stands in the register of whom nobody is to contact */
  readonly do_not_contact?: boolean | undefined;
  /** Your own identifier of the event, in place of event_unique_identifier */
  readonly event_external_identifier?: string | undefined;
  /** Your own identifier of the location, in place of location_unique_identifier */
  readonly location_external_identifier?: string | undefined;
  /** The unique_identifier of the account that the location belongs to; together with location_external_identifier */
  readonly account_unique_identifier?: string | undefined;
};

/** Objects that `expand` can add. */
export type EventCheckInRecordExpandable = {
  event: FuneralEvent;
  location: FuneralLocation;
  account: AccountListEntry;
  identifiers: EventCheckInRecordIdentifiers;
  source: RecordSource;
  do_not_contact: boolean;
};

/** An arrangement started through an online portal, with its cart and its purchaser. */
export type OnlineArrangement = {
  /** Type name of the object */
  object: 'online_arrangement';
  /** Identifier of the record, given by the service */
  unique_identifier: string;
  /** Your own identifier */
  external_identifier: string;
  /** Where the record belongs */
  location_unique_identifier: string;
  /** Name of the person for whom the arrangement is made */
  person_full_name: string;
  /** Phone number in E.164 form */
  person_phone_number: string;
  /** Free-form breakdown of the cart */
  cart_summary: string;
  /** Details of the person */
  additional_person_metadata?: {
    /** Email address */
    email_address?: string;
    /** Mailing address as one text: street, city, state, zip */
    mailing_address?: string;
    /** Birth date, not in the future */
    birth_date?: string;
    /** Gender */
    gender?: string;
  };
  /** Details of the cart */
  additional_cart_metadata?: {
    /** Total value of the cart in cents */
    cart_value_in_cents?: number;
    /** Currency, required whenever there is a cart_value_in_cents */
    cart_currency?: 'USD';
    /** Whether the cart was abandoned */
    is_abandoned_cart?: boolean;
  };
  /** Any other data, at most 64 KB */
  additional_data?: { [name: string]: unknown };
  /** When the record was created, in UTC */
  inserted_at: string;
  /** When the record was last changed, in UTC */
  updated_at: string;
};

/** What is answered in place of an online arrangement that was removed. */
export type OnlineArrangementDeleted = {
  /** Type name of the object */
  object: 'online_arrangement';
  /** Identifier of the record, given by the service */
  unique_identifier: string;
  /** Always true: the record was removed */
  deleted: true;
};

/** The identifiers of an online arrangement and of what it belongs to. */
export type OnlineArrangementIdentifiers = {
  /** Identifier given by the service */
  unique_identifier?: string;
  /** Your own identifier */
  external_identifier?: string;
  /** Identifier given by the service */
  location_unique_identifier?: string;
  /** Your own identifier */
  location_external_identifier?: string;
  /** Identifier given by the service */
  account_unique_identifier?: string;
};

/** Parameters of `api.online_arrangements.upsert`. `null` removes an optional field. */
export type OnlineArrangementUpsert = FuneralLocationReference & {
  /** Your own identifier of the online arrangement */
  readonly external_identifier: string;
  /** Name of the person for whom the arrangement is made */
  readonly person_full_name: string;
  /** Phone number in E.164 form */
  readonly person_phone_number: string;
  /** Free-form breakdown of the cart */
  readonly cart_summary: string;
  /** Details of the person */
  readonly additional_person_metadata?: {
    /** Email address */
    readonly email_address?: string | null | undefined;
    /** Mailing address as one text: street, city, state, zip */
    readonly mailing_address?: string | null | undefined;
    /** Birth date, not in the future */
    readonly birth_date?: string | null | undefined;
    /** Gender */
    readonly gender?: string | null | undefined;
  } | null | undefined;
  /** Details of the cart */
  readonly additional_cart_metadata?: {
    /** Total value of the cart in cents */
    readonly cart_value_in_cents?: number | null | undefined;
    /** Currency, required whenever there is a cart_value_in_cents */
    readonly cart_currency?: 'USD' | null | undefined;
    /** Whether the cart was abandoned */
    readonly is_abandoned_cart?: boolean | null | undefined;
  } | null | undefined;
  /** Any other data, at most 64 KB */
  readonly additional_data?: { readonly [name: string]: unknown } | null | undefined;
};

/** Parameters of `api.online_arrangements.patch`: omitted fields stay, `null` removes. */
export type OnlineArrangementPatch = {
  /** The unique_identifier of the location that the online arrangement belongs to */
  readonly location_unique_identifier?: string | undefined;
  /** Your own identifier of the online arrangement */
  readonly external_identifier?: string | undefined;
  /** Name of the person for whom the arrangement is made */
  readonly person_full_name?: string | undefined;
  /** Phone number in E.164 form */
  readonly person_phone_number?: string | undefined;
  /** Free-form breakdown of the cart */
  readonly cart_summary?: string | undefined;
  /** Details of the person */
  readonly additional_person_metadata?: {
    /** Email address */
    readonly email_address?: string | null | undefined;
    /** Mailing address as one text: street, city, state, zip */
    readonly mailing_address?: string | null | undefined;
    /** Birth date, not in the future */
    readonly birth_date?: string | null | undefined;
    /** Gender */
    readonly gender?: string | null | undefined;
  } | null | undefined;
  /** Details of the cart */
  readonly additional_cart_metadata?: {
    /** Total value of the cart in cents */
    readonly cart_value_in_cents?: number | null | undefined;
    /** Currency, required whenever there is a cart_value_in_cents */
    readonly cart_currency?: 'USD' | null | undefined;
    /** Whether the cart was abandoned */
    readonly is_abandoned_cart?: boolean | null | undefined;
  } | null | undefined;
  /** Any other data, at most 64 KB */
  readonly additional_data?: { readonly [name: string]: unknown } | null | undefined;
  /** Your own identifier of the location, in place of location_unique_identifier */
  readonly location_external_identifier?: string | undefined;
  /** The unique_identifier of the account that the location belongs to; together with location_external_identifier */
  readonly account_unique_identifier?: string | undefined;
};

/** Names the online arrangement by its parent and your own identifier. */
export type OnlineArrangementNamed = FuneralLocationReference & { readonly external_identifier: string };

/** Parameters of `api.online_arrangements.list`; records match all filters. */
export type OnlineArrangementListParams = {
  /** Maximum number of records to return */
  readonly limit?: number | undefined;
  /** unique_identifier of the record after which the page starts */
  readonly starting_after?: string | undefined;
  /** unique_identifier of the record before which the page ends */
  readonly ending_before?: string | undefined;
  /** `total` adds the number of records in the whole list, counted up to 10,000 */
  readonly include?: readonly 'total'[] | undefined;
  /** The unique_identifier of the location that the online arrangement belongs to */
  readonly location_unique_identifier?: string | undefined;
  /** Your own identifier of the online arrangement */
  readonly external_identifier?: string | undefined;
  /** Phone number in E.164 form */
  readonly person_phone_number?: string | undefined;
  /** Details of the person */
  readonly additional_person_metadata?: {
    /** Email address */
    readonly email_address?: string | undefined;
  } | undefined;
  /** Details of the cart */
  readonly additional_cart_metadata?: {
    /** Whether the cart was abandoned */
    readonly is_abandoned_cart?: true | undefined;
  } | undefined;
  /** Only records for which a source proposes another value than the one that staff entered */
  readonly proposed?: true | undefined;
  /** When the online arrangement was created */
  readonly inserted_at?: string | {
    /** This or later */
    readonly gte?: string | undefined;
    /** Later than this */
    readonly gt?: string | undefined;
    /** This or earlier */
    readonly lte?: string | undefined;
    /** Earlier than this */
    readonly lt?: string | undefined;
  } | undefined;
  /** When the online arrangement was last changed */
  readonly updated_at?: string | {
    /** This or later */
    readonly gte?: string | undefined;
    /** Later than this */
    readonly gt?: string | undefined;
    /** This or earlier */
    readonly lte?: string | undefined;
    /** Earlier than this */
    readonly lt?: string | undefined;
  } | undefined;
  /** Only records at a location of this region, which is in the settings of locations and accounts */
  readonly region?: string | undefined;
  /** Only records that this source created, by its unique_identifier; `me`: the source of the API key */
  readonly source?: string | undefined;
  /** Only records of which this is so, or is not: whether its phone number, its email address or the record itself stands in the register of whom nobody is to contact */
  readonly do_not_contact?: boolean | undefined;
  /** Your own identifier of the location, in place of location_unique_identifier */
  readonly location_external_identifier?: string | undefined;
  /** The unique_identifier of the account that the location belongs to; together with location_external_identifier */
  readonly account_unique_identifier?: string | undefined;
};

/** Objects that `expand` can add. */
export type OnlineArrangementExpandable = {
  location: FuneralLocation;
  account: AccountListEntry;
  identifiers: OnlineArrangementIdentifiers;
  source: RecordSource;
  do_not_contact: boolean;
};

/** A reply to a direct mail piece, with images of it and, where known, its respondent. */
export type DirectMailReply = {
  /** Type name of the object */
  object: 'direct_mail_reply';
  /** Identifier of the record, given by the service */
  unique_identifier: string;
  /** Your own identifier */
  external_identifier: string;
  /** Where the record belongs */
  location_unique_identifier: string;
  /** More of the record; always there, empty when it holds nothing */
  public_data: {
    /** URLs of JPG images of the reply, 1 to 10 of them */
    image_urls: string[];
    /** The respondent */
    respondent_person?: {
      /** Full name */
      full_name?: string;
      /** Primary US phone number */
      phone_number1?: string;
      /** Secondary US phone number */
      phone_number2?: string;
      /** Email address */
      email_address?: string;
      /** Birth date in any form, kept as it was sent */
      birth_date?: string;
    };
    /** The address of the respondent */
    respondent_address?: {
      /** First line of the street address */
      street_address_line_1?: string;
      /** Second line of the street address */
      street_address_line_2?: string;
      /** City */
      city?: string;
      /** County */
      county?: string;
      /** State */
      state?: string;
      /** Country */
      country?: string;
      /** Postal code */
      postal_code?: string;
    };
    /** Free metadata, texts by name, at most 64 KB */
    additional_metadata?: { [name: string]: string };
  };
  /** When the record was created, in UTC */
  inserted_at: string;
  /** When the record was last changed, in UTC */
  updated_at: string;
};

/** What is answered in place of a direct mail reply that was removed. */
export type DirectMailReplyDeleted = {
  /** Type name of the object */
  object: 'direct_mail_reply';
  /** Identifier of the record, given by the service */
  unique_identifier: string;
  /** Always true: the record was removed */
  deleted: true;
};

/** The identifiers of a direct mail reply and of what it belongs to. */
export type DirectMailReplyIdentifiers = {
  /** Identifier given by the service */
  unique_identifier?: string;
  /** Your own identifier */
  external_identifier?: string;
  /** Identifier given by the service */
  location_unique_identifier?: string;
  /** Your own identifier */
  location_external_identifier?: string;
  /** Identifier given by the service */
  account_unique_identifier?: string;
};

/** Parameters of `api.direct_mail_replies.upsert`. `null` removes an optional field. */
export type DirectMailReplyUpsert = FuneralLocationReference & {
  /** Your own identifier of the direct mail reply */
  readonly external_identifier: string;
  /** URLs of JPG images of the reply, 1 to 10 of them */
  readonly image_urls: readonly string[];
  /** The respondent */
  readonly respondent_person?: {
    /** Full name */
    readonly full_name?: string | null | undefined;
    /** Primary US phone number */
    readonly phone_number1?: string | null | undefined;
    /** Secondary US phone number */
    readonly phone_number2?: string | null | undefined;
    /** Email address */
    readonly email_address?: string | null | undefined;
    /** Birth date in any form, kept as it was sent */
    readonly birth_date?: string | null | undefined;
  } | null | undefined;
  /** The address of the respondent */
  readonly respondent_address?: {
    /** First line of the street address */
    readonly street_address_line_1?: string | null | undefined;
    /** Second line of the street address */
    readonly street_address_line_2?: string | null | undefined;
    /** City */
    readonly city?: string | null | undefined;
    /** County */
    readonly county?: string | null | undefined;
    /** State */
    readonly state?: string | null | undefined;
    /** Country */
    readonly country?: string | null | undefined;
    /** Postal code */
    readonly postal_code?: string | null | undefined;
  } | null | undefined;
  /** Free metadata, texts by name, at most 64 KB */
  readonly additional_metadata?: { readonly [name: string]: string | null } | null | undefined;
};

/** Parameters of `api.direct_mail_replies.patch`: omitted fields stay, `null` removes. */
export type DirectMailReplyPatch = {
  /** The unique_identifier of the location that the direct mail reply belongs to */
  readonly location_unique_identifier?: string | undefined;
  /** Your own identifier of the direct mail reply */
  readonly external_identifier?: string | undefined;
  /** URLs of JPG images of the reply, 1 to 10 of them */
  readonly image_urls?: readonly string[] | undefined;
  /** The respondent */
  readonly respondent_person?: {
    /** Full name */
    readonly full_name?: string | null | undefined;
    /** Primary US phone number */
    readonly phone_number1?: string | null | undefined;
    /** Secondary US phone number */
    readonly phone_number2?: string | null | undefined;
    /** Email address */
    readonly email_address?: string | null | undefined;
    /** Birth date in any form, kept as it was sent */
    readonly birth_date?: string | null | undefined;
  } | null | undefined;
  /** The address of the respondent */
  readonly respondent_address?: {
    /** First line of the street address */
    readonly street_address_line_1?: string | null | undefined;
    /** Second line of the street address */
    readonly street_address_line_2?: string | null | undefined;
    /** City */
    readonly city?: string | null | undefined;
    /** County */
    readonly county?: string | null | undefined;
    /** State */
    readonly state?: string | null | undefined;
    /** Country */
    readonly country?: string | null | undefined;
    /** Postal code */
    readonly postal_code?: string | null | undefined;
  } | null | undefined;
  /** Free metadata, texts by name, at most 64 KB */
  readonly additional_metadata?: { readonly [name: string]: string | null } | null | undefined;
  /** Your own identifier of the location, in place of location_unique_identifier */
  readonly location_external_identifier?: string | undefined;
  /** The unique_identifier of the account that the location belongs to; together with location_external_identifier */
  readonly account_unique_identifier?: string | undefined;
};

/** Names the direct mail reply by its parent and your own identifier. */
export type DirectMailReplyNamed = FuneralLocationReference & { readonly external_identifier: string };

/** Parameters of `api.direct_mail_replies.list`; records match all filters. */
export type DirectMailReplyListParams = {
  /** Maximum number of records to return */
  readonly limit?: number | undefined;
  /** unique_identifier of the record after which the page starts */
  readonly starting_after?: string | undefined;
  /** unique_identifier of the record before which the page ends */
  readonly ending_before?: string | undefined;
  /** `total` adds the number of records in the whole list, counted up to 10,000 */
  readonly include?: readonly 'total'[] | undefined;
  /** The unique_identifier of the location that the direct mail reply belongs to */
  readonly location_unique_identifier?: string | undefined;
  /** Your own identifier of the direct mail reply */
  readonly external_identifier?: string | undefined;
  /** The respondent */
  readonly respondent_person?: {
    /** Primary US phone number */
    readonly phone_number1?: string | undefined;
    /** Secondary US phone number */
    readonly phone_number2?: string | undefined;
    /** Email address */
    readonly email_address?: string | undefined;
  } | undefined;
  /** Whether it lacks a name, or any phone number and email address */
  readonly incomplete?: true | undefined;
  /** Only records for which a source proposes another value than the one that staff entered */
  readonly proposed?: true | undefined;
  /** When the direct mail reply was created */
  readonly inserted_at?: string | {
    /** This or later */
    readonly gte?: string | undefined;
    /** Later than this */
    readonly gt?: string | undefined;
    /** This or earlier */
    readonly lte?: string | undefined;
    /** Earlier than this */
    readonly lt?: string | undefined;
  } | undefined;
  /** When the direct mail reply was last changed */
  readonly updated_at?: string | {
    /** This or later */
    readonly gte?: string | undefined;
    /** Later than this */
    readonly gt?: string | undefined;
    /** This or earlier */
    readonly lte?: string | undefined;
    /** Earlier than this */
    readonly lt?: string | undefined;
  } | undefined;
  /** Only records at a location of this region, which is in the settings of locations and accounts */
  readonly region?: string | undefined;
  /** Only records that this source created, by its unique_identifier; `me`: the source of the API key */
  readonly source?: string | undefined;
  /** Only records of which this is so, or is not: whether its phone number, its email address or the record itself stands in the register of whom nobody is to contact */
  readonly do_not_contact?: boolean | undefined;
  /** Your own identifier of the location, in place of location_unique_identifier */
  readonly location_external_identifier?: string | undefined;
  /** The unique_identifier of the account that the location belongs to; together with location_external_identifier */
  readonly account_unique_identifier?: string | undefined;
};

/** Objects that `expand` can add. */
export type DirectMailReplyExpandable = {
  location: FuneralLocation;
  account: AccountListEntry;
  identifiers: DirectMailReplyIdentifiers;
  source: RecordSource;
  do_not_contact: boolean;
};
