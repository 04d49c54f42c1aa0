import type { Database } from '#db/client.server.ts'
import { siteSwitch } from '#db/schema/index.ts'

export type SwitchRow = typeof siteSwitch.$inferSelect

export const loadSwitches = (db: Database): Promise<SwitchRow[]> => db.select().from(siteSwitch)

export const isOn = ({ until }: SwitchRow, now: Date): boolean => until === null || until > now
