import { z } from 'zod'

// Written from the documentation of 4chan's API (github.com/4chan/4chan-API, pages/*.md), and of vichan's `api.php` for
// `last_modified` and `extra_files`. The objects are strict, so a field that is in neither fails, except our own fields (`dtp_`).

const flag = z.literal(1).optional()
const count = z.int().nonnegative()
const seconds = z.int().positive()

/** All fields of an attachment, or none. */
const attachment = {
  tim: z.int().positive().optional(),
  filename: z.string().min(1).optional(),
  ext: z.enum(['.jpg', '.png', '.gif', '.webp']).optional(),
  fsize: z.int().positive().optional(),
  md5: z
    .string()
    .regex(/^[A-Za-z0-9+/]{22}==$/)
    .optional(),
  w: z.int().min(1).optional(),
  h: z.int().min(1).optional(),
  tn_w: z.int().min(1).max(250).optional(),
  tn_h: z.int().min(1).max(250).optional(),
  spoiler: flag,
}
const extraFile = z.strictObject(attachment).required().partial({ spoiler: true })
const post = {
  no: z.int().positive(),
  resto: count,
  now: z.string().regex(/^\d\d\/\d\d\/\d\d\((Mon|Tue|Wed|Thu|Fri|Sat|Sun)\)\d\d:\d\d:\d\d$/),
  time: seconds,
  name: z.string().min(1),
  trip: z
    .string()
    .regex(/^!![\w-]{11}$/)
    .optional(),
  capcode: z.enum(['mod', 'admin']).optional(),
  id: z.string().length(8).optional(),
  // vichan only
  email: z.literal('sage').optional(),
  com: z.string().min(1),
  ...attachment,
  filedeleted: flag,
  /** vichan's field for the files after the first one */
  extra_files: z.array(extraFile).min(1).max(3).optional(),
}
const own = {
  dtp_time: z.int().positive(),
  /** empty if the author deleted the post */
  dtp_text: z.string(),
  dtp_links: z.array(z.string()).optional(),
  dtp_parent: z.int().positive().optional(),
  dtp_trip_proof: z.base64url().optional(),
}
const openingFields = {
  resto: z.literal(0),
  sticky: flag,
  closed: flag,
  locked: flag,
  cyclical: flag,
  dtp_bumplocked: flag,
  dtp_bumped: z.int().positive().optional(),
  archived: flag,
  archived_on: seconds.optional(),
  sub: z.string().min(1),
  replies: count,
  images: count,
  bumplimit: flag,
  imagelimit: flag,
  last_modified: seconds,
  semantic_url: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
}
const omitted = { omitted_posts: count, omitted_images: count }

const hasWholeAttachment = (value: object) => {
  const { spoiler: _spoiler, ...fields } = attachment
  const present = Object.keys(fields).filter((name) => name in value)
  return (present.length === 0 && !('spoiler' in value)) || present.length === Object.keys(fields).length
}
const whole = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape).refine(hasWholeAttachment)

const answer = whole(post)
const pageOf = <Thread extends z.ZodType>(thread: Thread) =>
  z.array(z.strictObject({ page: z.int().positive(), threads: z.array(thread) })).min(1)

export const fourchanSchemas = {
  boards: z.strictObject({
    boards: z.array(
      z.strictObject({
        board: z.string().regex(/^[a-z0-9-]+$/),
        title: z.string().min(1),
        ws_board: z.literal([0, 1]),
        per_page: z.int().positive(),
        pages: z.int().positive(),
        max_filesize: z.int().positive(),
        max_webm_filesize: count,
        max_webm_duration: count,
        max_comment_chars: z.int().positive(),
        bump_limit: z.int().positive(),
        image_limit: z.int().positive(),
        cooldowns: z.strictObject({ threads: count, replies: count, images: count }),
        meta_description: z.string(),
        spoilers: flag,
        require_subject: flag,
        is_archived: flag,
        user_ids: flag,
        dtp_description: z.string(),
        dtp_rules: z.string(),
        dtp_thread_limit: count,
        dtp_latest_replies: count,
        dtp_default_name: z.string().min(1).optional(),
      }),
    ),
  }),
  threads: pageOf(z.strictObject({ no: z.int().positive(), last_modified: seconds, replies: count })),
  catalog: pageOf(whole({ ...post, ...openingFields, ...omitted, last_replies: z.array(answer).min(1).optional() })),
  page: z.strictObject({
    threads: z.array(
      z.strictObject({ posts: z.tuple([whole({ ...post, ...openingFields, ...omitted })]).rest(answer) }),
    ),
  }),
  thread: z.strictObject({
    posts: z.tuple([whole({ ...post, ...openingFields, ...own })]).rest(whole({ ...post, ...own })),
  }),
  archive: z.array(z.int().positive()),
}
