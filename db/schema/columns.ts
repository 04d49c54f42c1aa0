import { timestamp } from 'drizzle-orm/pg-core'

/** Millisecond precision, as in JavaScript, so that a value that is read back compares equal. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
