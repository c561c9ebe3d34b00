// Generated from client/src/address.ts by "npm run generate"; do not edit.

/** Addresses that commands send an API key to. */
/** What is wrong with the address of a service that a command was given as `named`; it repeats nothing that may be a key. */
export declare function addressFault(address: string, named: string, plainHttp: boolean): string | undefined;
