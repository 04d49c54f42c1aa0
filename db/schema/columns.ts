import { timestamp } from 'drizzle-orm/pg-core'

/** Uses milliseconds, like JavaScript, so that a stored value equals the original. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
