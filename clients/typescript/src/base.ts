/** The words of `models.ts`. */

/** An exact number as a text: `"1190.50"`. Calculate with a library for decimals, since `Number` rounds. */
export type Decimal = string;
/** A day: `"2026-05-15"`. */
export type IsoDate = string;
/** A time in UTC: `"2026-05-17T12:00:07Z"`. */
export type IsoDateTime = string;
/** One of the known values, or one that a later version of the service adds. */
export type Open<Known extends string> = Known | (string & {});
