import { createHmac, timingSafeEqual } from 'node:crypto'
import { TRPCError } from '@trpc/server'
import { type SQL, sql } from 'drizzle-orm'
import { ZodRealError } from 'zod'
import type { Services } from '#server/core/context.ts'
import { RADIO_MARK, splitAuthor, withoutTripcodeMarks } from '#src/contract/authorName.ts'
import { boardLimits } from '#src/contract/board.ts'
import { refusal } from '#src/contract/refusal.ts'

type Reader = Pick<Services, 'knownBoards'>

type Form = { boardId: string; author: string }

/**
 * Gives a post without a name the board's default name. A secret stays: its code is shown beside that name.
 * @throws TRPCError 400 for the field, if the board has no default name
 */
export async function completeName<Input extends Form>(ctx: Reader, form: Input): Promise<Input> {
  if (splitAuthor(form.author).nick !== '') return form
  const known = await ctx.knownBoards()
  const name = known.find(({ id }) => id === form.boardId)?.defaultName
  if (name) return { ...form, author: `${name}${form.author}` }
  const issue = { message: refusal('board.authorRequired'), path: ['author'], input: undefined }
  throw new TRPCError({ code: 'BAD_REQUEST', cause: new ZodRealError([{ code: 'custom', ...issue }]) })
}

/**
 * Gives a form the name that is stored, and the code of the secret behind it. From then on nothing knows the secret:
 * filters, logs and the database get the name.
 */
export async function signForm<Input extends Pick<Form, 'author'>>(
  ctx: Reader & Pick<Services, 'secrets'>,
  boardId: string,
  form: Input,
): Promise<Input & { tripcode: string | null }> {
  const { author } = await completeName(ctx, { boardId, author: form.author })
  const { nick, secret } = splitAuthor(author)
  return { ...form, author: nick, tripcode: secret === null ? null : createTripcode(ctx.secrets.tripcodes, secret) }
}

/** Returns the name and mark of a post that the site writes in somebody's name. */
export const siteAuthor = (name: string) => ({
  author: [...withoutTripcodeMarks(name)].slice(0, boardLimits.author).join(''),
  tripcode: RADIO_MARK,
})

/** Returns a condition for posts that the site did not write. @param row alias of the post in the statement */
export const isByVisitor = (row: string): SQL => sql`${sql.raw(row)}.tripcode is distinct from ${RADIO_MARK}`

/** 66 bits: nobody finds another secret with the same code. */
const CODE_LENGTH = 11

/** Returns the code of an author's secret. Without the site's key, nobody can try secrets for a code. */
export const createTripcode = (key: Uint8Array, secret: string): string =>
  `!!${hmac(key, `secret\n${secret.normalize('NFC')}`)
    .toString('base64url')
    .slice(0, CODE_LENGTH)}`

/** A post with a tripcode, as an export describes it. */
export type SignedPost = {
  board: string
  number: number
  /** in milliseconds */
  time: number
  author: string
  text: string
  tripcode: string
}

/** Proves to an import that this site, with this key, published the post with this tripcode. */
export const proveTripcode = (key: Uint8Array, { board, number, time, author, text, tripcode }: SignedPost): string =>
  hmac(key, `post\n${JSON.stringify([board, number, time, author, text, tripcode])}`).toString('base64url')

export function isProvenTripcode(key: Uint8Array, post: SignedPost, proof: string): boolean {
  const [given, expected] = [Buffer.from(proof), Buffer.from(proveTripcode(key, post))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const hmac = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest()
