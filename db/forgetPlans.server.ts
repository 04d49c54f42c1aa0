import { sql } from 'drizzle-orm'
import type { Transaction } from './client.server.ts'

/**
 * Makes the session plan its statements again. A plan from when the tables were small can read a whole table for each of
 * thousands of rows.
 */
export const forgetPlans = (tx: Transaction) => tx.execute(sql`discard plans`)
