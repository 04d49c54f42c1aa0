import { timestamp } from 'drizzle-orm/pg-core'

/** A point in time in milliseconds: what JavaScript can hold, so that a value read back compares equal. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
