/** The wait of background work in milliseconds, from the wait that its code names. Tests shorten it. */
export type BackgroundPace = (ms: number) => number;

/** As long as the code says. */
export const realPace: BackgroundPace = (ms) => ms;
