import { sql } from 'drizzle-orm'
import {
  bigserial,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { user } from './auth.ts'
import { bytes, instant, number } from './columns.ts'
import type { StoredImage } from './image.ts'

/** Users who may stream to the built-in station. */
export const streamer = pgTable(
  'streamer',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => user.id, { onDelete: 'cascade' }),
    /** the name that listeners see; unique without regard to case */
    name: text().notNull(),
    /** SHA-256 of the streaming password; the site generates the password, so it cannot be guessed */
    passwordHash: bytes('password_hash').notNull().unique(),
    disabled: boolean().notNull().default(false),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [uniqueIndex('streamer_by_name').on(sql`lower(${table.name})`)],
)

/** Entries of the schedule: a show takes place once, or every week at the same local time. */
export const show = pgTable(
  'show',
  {
    id: serial().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => streamer.userId, { onDelete: 'cascade' }),
    title: text().notNull(),
    description: text().notNull(),
    imageId: text('image_id'),
    image: jsonb().$type<StoredImage>(),
    /** IANA name of the time zone of `firstDay`, `startTime` and `lastDay` */
    zone: text().notNull(),
    /** YYYY-MM-DD */
    firstDay: text('first_day').notNull(),
    /** HH:MM */
    startTime: text('start_time').notNull(),
    minutes: integer().notNull(),
    isWeekly: boolean('is_weekly').notNull(),
    /** YYYY-MM-DD; null for a weekly show without an end */
    lastDay: text('last_day'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [index('show_by_user').on(table.userId)],
)

/** The process that has the live sources of a station. Others pass sources and calls on to it, and relay its sound. */
export const liveHost = pgTable('live_host', {
  stationId: integer('station_id').primaryKey(),
  /** a random name of the process */
  process: text().notNull(),
  /** where other processes reach it */
  url: text().notNull(),
})

/** Times when a streamer was on air, with their recordings. */
export const broadcast = pgTable(
  'broadcast',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    stationId: integer('station_id').notNull(),
    /** null if the user was deleted */
    userId: text('user_id').references(() => user.id, { onDelete: 'set null' }),
    /** the streamer's name at the time */
    streamerName: text('streamer_name').notNull(),
    showId: integer('show_id').references(() => show.id, { onDelete: 'set null' }),
    title: text(),
    startedAt: instant('started_at').notNull(),
    /** null while the broadcast is running */
    endedAt: instant('ended_at'),
    /** refreshed every few seconds while the broadcast is running: its end, if the server crashes */
    aliveAt: instant('alive_at'),
    /** name of the recording's file; null if there is no recording */
    file: text(),
    /** media type of the recording, such as `audio/mpeg`; empty for a broadcast of a radio service */
    type: text().notNull(),
    bytes: number().notNull().default(0),
    /** recorded seconds */
    seconds: doublePrecision().notNull().default(0),
    /** only the streamer and admins see hidden recordings */
    isHidden: boolean('is_hidden').notNull().default(false),
    /** an admin put it on air */
    isForced: boolean('is_forced').notNull().default(false),
    /** thread that discusses the broadcast */
    threadId: number('thread_id'),
    /** not used any more; without it, older backups could not be restored */
    peakListeners: integer('peak_listeners').notNull().default(0),
    /** when the start was announced in a thread and by the webhook; null until then, or if nothing announces broadcasts */
    startAnnouncedAt: instant('start_announced_at'),
    endAnnouncedAt: instant('end_announced_at'),
  },
  (table) => [
    index('broadcast_by_start').on(table.startedAt, table.id),
    index('broadcast_by_name').on(table.streamerName, table.startedAt),
    index('broadcast_by_thread').on(table.threadId).where(sql`${table.threadId} is not null`),
    index('broadcast_running').on(table.id).where(sql`${table.endedAt} is null`),
  ],
)

export const broadcastTrack = pgTable(
  'broadcast_track',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    broadcastId: number('broadcast_id')
      .notNull()
      .references(() => broadcast.id, { onDelete: 'cascade' }),
    /** position in the recording */
    seconds: doublePrecision().notNull(),
    artist: text().notNull(),
    title: text().notNull(),
  },
  (table) => [index('broadcast_track_by_broadcast').on(table.broadcastId, table.seconds)],
)

/** Tracks that listeners asked for. The automatic station plays them between two tracks, in the order of the ids. */
export const songRequest = pgTable(
  'song_request',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    stationId: integer('station_id').notNull(),
    /** id of the track in the station's library */
    trackId: number('track_id').notNull(),
    artist: text().notNull(),
    title: text().notNull(),
    seconds: doublePrecision().notNull(),
    source: text({ enum: ['web', 'irc'] }).notNull(),
    requestedAt: instant('requested_at').notNull(),
    /** when the station starts the track; null until the station plans it */
    playsAt: instant('plays_at'),
    /** id of the track that the station plays after this one; null until the station plans the track */
    nextTrackId: number('next_track_id'),
    /** null while the request waits */
    outcome: text({ enum: ['played', 'skipped'] }),
  },
  (table) => [
    index('song_request_by_age').on(table.requestedAt),
    index('song_request_by_track').on(table.trackId, table.requestedAt),
    index('song_request_by_play').on(table.playsAt),
    index('song_request_waiting').on(table.id).where(sql`${table.outcome} is null`),
  ],
)

/** Listeners per station and minute, for the graph of streamers and admins. */
export const listenerCount = pgTable(
  'listener_count',
  {
    stationId: integer('station_id').notNull(),
    /** start of the minute */
    at: instant('at').notNull(),
    listeners: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.stationId, table.at] })],
)
